export { readSwitchSettings } from './switch-settings.ts';
export { writeConfiguration } from './write-configuration.ts';
