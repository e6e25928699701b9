export { fillTemplate } from './fill-template.ts';
export { type Environment, settingsReader, WrongSetting } from './settings-reader.ts';
export { readSwitchSettings } from './switch-settings.ts';
export { writeConfiguration } from './write-configuration.ts';
