// `npm run switch-config -- DIRECTORY`: writes the configuration of a FreeSWITCH from the environment
// (docs/telephony.md lists the settings). What is not set fits `npm start` in the same environment.
import path from 'node:path';
import { readSwitchSettings, writeConfiguration } from '@parley/freeswitch';
import { portsFrom } from './ports.ts';
import { readSettings } from './settings.ts';
import { switchSecretOf } from './switch-secret.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');

const { env } = process;
const [given] = process.argv.slice(2);
try {
  if (!given) throw new Error('usage: npm run switch-config -- DIRECTORY');
  // npm runs programs in the checkout, whatever directory it was started in.
  const directory = path.resolve(env.INIT_CWD || process.cwd(), given);
  const { port, dataDir } = readSettings(env, CHECKOUT);
  const settings = readSwitchSettings({
    ...env,
    CALL_CONTROL_URL: env.CALL_CONTROL_URL || env.SWITCH_HTTP_URL || `http://127.0.0.1:${portsFrom(port).switch}`,
    SWITCH_SECRET: env.SWITCH_SECRET || (await switchSecretOf(dataDir)),
  });
  writeConfiguration(settings, directory);
  const { switchName, callControlUrl, eventSocketUser, eventSocketIp, eventSocketPort } = settings;
  console.log(`written to ${directory}: the switch ${switchName} of the call-control at ${callControlUrl}`);
  console.log(
    `npm start needs PARLEY_SWITCH=esl://${eventSocketUser}:$EVENT_SOCKET_PASSWORD@${eventSocketIp}:${eventSocketPort}`,
  );
} catch (error) {
  console.error(`switch-config: ${(error as Error).message}`);
  process.exit(1);
}
