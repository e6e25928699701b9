// Implements `npm run stress -- <name>`: the long form of tests that are short in `npm test`.
import { spawn } from 'node:child_process';
import path from 'node:path';

/** Jest's arguments for tests that use `underStress` for their size; or a script of stress scenarios, which takes the name and the size. */
type Stress = { readonly what: string } & ({ readonly tests: readonly string[] } | { readonly script: string });

const scenarios = path.join(import.meta.dirname, '../../../e2e/stress/run.ts');
const stresses: Readonly<Record<string, Stress>> = {
  'kill-nine': {
    what: 'kill -9 of any process, many times, while contacts, texts and settings change',
    tests: ['e2e/killed-processes', '-t', 'kill -9 of any process'],
  },
  'rolling-restart': {
    what: 'every service restarted in turn under 50 requests a second, with two replicas of each',
    tests: ['e2e/replicas/rolling-restart'],
  },
  'assistant-kill-nine': {
    what: 'calls of an assistant while its processes, call-control or the speech service are killed',
    script: scenarios,
  },
  'calls-kill-nine': {
    what: 'calls in all phases while call-control is killed, and the death of the switch',
    script: scenarios,
  },
  'calls-kill-nine-replicas': {
    what: 'the same with two replicas of call-control, of which one or both are killed',
    script: scenarios,
  },
  'frozen-replicas': {
    what: 'voicemails while each of two replicas of call-control is frozen in turn',
    script: scenarios,
  },
  sends: { what: 'texts while processes are killed and clients repeat their keys', script: scenarios },
  'mixed-inbox': {
    what: 'texts and calls while processes are killed, compared with a recomputation',
    script: scenarios,
  },
  floods: { what: 'one company flooded with texts, and what another notices', script: scenarios },
  'live-sockets': { what: 'ten thousand live connections on one gateway', script: scenarios },
  'paging-readers': { what: 'readers of the inbox while 200 texts a second arrive', script: scenarios },
};

const [name = '', ...args] = process.argv.slice(2);
const stress = stresses[name];
if (!stress) {
  console.error('npm run stress -- <name>, where a name is one of');
  for (const [known, { what }] of Object.entries(stresses)) console.error(`  ${known.padEnd(26)} ${what}`);
  process.exit(1);
}
const command =
  'script' in stress
    ? [stress.script, name, ...args]
    : [path.join(import.meta.dirname, 'test.ts'), ...stress.tests, ...args];
const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
  env: { ...process.env, PARLEY_STRESS: 'on' },
  stdio: 'inherit',
});
process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
