export { readSwitchAddress, type SwitchAddress } from '@parley/event-socket';
