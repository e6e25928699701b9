// `npm run switch-check`: the whole product against a real FreeSWITCH with the configuration of deploy/freeswitch
// (docs/telephony.md). Starts its own stack; this program contains the phones and the carrier.
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readSettings } from '../../deploy/local/src/settings.ts';
import { switchSecretOf } from '../../deploy/local/src/switch-secret.ts';
import { startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { openCheckEnvironment } from './check-environment.ts';
import { prepare } from './check-fixture.ts';
import { checks } from './checks.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');
const { env } = process;
const switchUrl = env.PARLEY_TEST_SWITCH;
if (!switchUrl) {
  console.error('switch-check: set PARLEY_TEST_SWITCH=esl://user:password@host:port (docs/telephony.md)');
  process.exit(1);
}
// The secret that `npm run switch-config` wrote into the switch's configuration.
const switchSecret = env.SWITCH_SECRET || (await switchSecretOf(readSettings(env, CHECKOUT).dataDir));

// Its event socket and its SIP profiles need not listen at the same address.
const host = env.SWITCH_IP || new URL(switchUrl).hostname;
const isHere = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === host));
const ip = env.PARLEY_TEST_IP || (isHere ? host : '127.0.0.1');
const addresses = {
  ip,
  phones: `${host}:${env.PHONES_PORT || 5060}`,
  carriers: `${host}:${env.CARRIERS_PORT || 5080}`,
  carrierPort: Number(env.PARLEY_TEST_CARRIER_PORT || 5090),
  other: readOther(env.PARLEY_TEST_OTHER_SWITCH),
};
const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-switch-check-'));
await writeFile(path.join(dataDir, 'secrets.json'), JSON.stringify({ switchSecret }));
const stack = await startLocalStack({
  dataDir,
  port: Number(env.PARLEY_PORT || 8080),
  environment: {
    PARLEY_PROCESSES: 'separate',
    PARLEY_SWITCH: switchUrl,
    ...(env.SWITCHES && { SWITCHES: env.SWITCHES }),
    CARRIERS: JSON.stringify([{ name: 'check', dial: `sofia/external/{number}@${ip}:${addresses.carrierPort}` }]),
  },
});
const signalCallControl = (signal: NodeJS.Signals) => {
  for (const pid of processesOfService(stack, 'call-control')) process.kill(pid, signal);
};
const run = (command: string | undefined) =>
  command ? async () => void (await promisify(execFile)('sh', ['-c', command])) : undefined;
const restartSwitch = run(env.PARLEY_TEST_SWITCH_RESTART);
const restartOtherSwitch = run(env.PARLEY_TEST_OTHER_SWITCH_RESTART);

/** Those whose name has the argument in it, and the first one, which registers the phones. */
const [only = ''] = process.argv.slice(2);
const chosen = Object.entries(checks).filter(([name], index) => index === 0 || name.includes(only));
let failed = 0;
try {
  const env = await openCheckEnvironment(stack.local, addresses);
  const given = await prepare(env, { signalCallControl, restartSwitch, restartOtherSwitch });
  for (const [name, check] of chosen) {
    const startedAt = performance.now();
    const problem = await check(given).then(
      () => undefined,
      (error: Error) => error,
    );
    if (problem) failed += 1;
    console.log(`${problem ? 'FAIL' : 'ok  '} ${name} (${Math.round((performance.now() - startedAt) / 100) / 10} s)`);
    if (problem) console.log(`     ${problem.message}`);
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  env.close();
} catch (error) {
  failed += 1;
  throw error;
} finally {
  await stack.stop(failed === 0 ? undefined : 'keep');
  if (failed > 0) console.log(`the logs and the data of the failed check are in ${dataDir}`);
}
process.exit(failed === 0 ? 0 : 1);

/** `<phones>,<carriers>`: the addresses of the second switch's SIP profiles. */
function readOther(written: string | undefined) {
  const [phones, carriers] = written?.split(',') ?? [];
  return phones && carriers ? { phones, carriers } : undefined;
}
