// Writes the configuration of a switch, from the environment (docs/telephony.md lists the settings):
//   CALL_CONTROL_URL=http://10.0.0.4:8083 SWITCH_SECRET=… EVENT_SOCKET_PASSWORD=… node deploy/freeswitch/src/render-main.ts DIRECTORY
import { readSwitchSettings } from './switch-settings.ts';
import { writeConfiguration } from './write-configuration.ts';

const [directory] = process.argv.slice(2);
try {
  if (!directory) throw new Error('usage: render-main.ts DIRECTORY');
  writeConfiguration(readSwitchSettings(process.env), directory);
} catch (error) {
  console.error(`render: ${(error as Error).message}`);
  process.exit(1);
}
