// The drills: `npm run drill -- backup-restore`, or `npm run drill -- backup-restore --seed 7` for the moments of another run.
import { parseArgs } from 'node:util';
import { seededRandom } from '../support/random.ts';
import { drillBackupRestore } from './backup-restore.ts';
import { drillClockSkew } from './clock-skew.ts';
import { drillFullDisk } from './full-disk.ts';
import { drillLoseASwitch } from './lose-a-switch.ts';
import { drillLoseTheBroker } from './lose-the-broker.ts';
import { drillLoseTheDatabase } from './lose-the-database.ts';
import { drillRotateSecrets } from './rotate-secrets.ts';
import { drillScale } from './scale.ts';
import { drillUpgrade } from './upgrade.ts';
import { CannotRun, type DrillProgram, secs } from './drill.ts';

const drills: Readonly<Record<string, { readonly run: DrillProgram; readonly what: string }>> = {
  'backup-restore': { run: drillBackupRestore, what: 'a snapshot under load and one at rest, restored in turn' },
  'rotate-secrets': { run: drillRotateSecrets, what: 'every secret replaced under load' },
  'lose-the-broker': { run: drillLoseTheBroker, what: 'NATS killed, back with and without its disks' },
  'lose-the-database': { run: drillLoseTheDatabase, what: 'the database killed and stopped for a while' },
  'lose-a-switch': { run: drillLoseASwitch, what: 'one of two switches lost with its calls' },
  scale: { run: drillScale, what: 'from one to three processes of every service and back under load' },
  upgrade: { run: drillUpgrade, what: 'from the last release to this one and back under load' },
  'full-disk': { run: drillFullDisk, what: 'each store in turn without space' },
  'clock-skew': { run: drillClockSkew, what: 'clocks that differ, within and beyond what is promised' },
};
/** Ends a drill that hangs. */
const MINUTES_MAX = 15;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const [name = ''] = positionals;
const drill = drills[name];
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
if (!drill || !Number.isSafeInteger(seed)) {
  console.error('npm run drill -- <name> [--seed <number>], where a name is one of');
  for (const [known, { what }] of Object.entries(drills)) console.error(`  ${known.padEnd(18)} ${what}`);
  process.exit(1);
}

const undone = new AsyncDisposableStack();
let isEnding = false;
async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await undone.disposeAsync().catch((error: unknown) => console.error(error));
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(130));
setTimeout(() => {
  console.error(`  the drill has not ended after ${MINUTES_MAX} minutes`);
  void end(1);
}, MINUTES_MAX * 60_000).unref();

console.log(`— ${name}, seed ${seed}`);
const started = performance.now();
const since = () => secs(performance.now() - started).padStart(8);
try {
  await drill.run({
    seed,
    random: seededRandom(seed),
    say: (line) => console.log(`${since()}  ${line}`),
    defer: (undo) => undone.defer(async () => void (await undo())),
  });
  console.log(`${since()}  passed`);
  await end(0);
} catch (error) {
  const isImpossible = error instanceof CannotRun;
  console.log(`${since()}  ${isImpossible ? `cannot run here: ${error.message}` : 'FAILED'}`);
  if (!isImpossible) console.error(error);
  await end(isImpossible ? 0 : 1);
}
