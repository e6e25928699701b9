// What `npm run stress -- <name>` runs: the long form of tests that are short in `npm test`.
import { spawn } from 'node:child_process';
import path from 'node:path';

/** Each is a part of the path of tests, which ask `stressed` how much to do. */
const stresses: Readonly<Record<string, { what: string; tests: string }>> = {
  'kill-nine': {
    what: 'kill -9 of any process, many times, while contacts and texts change',
    tests: 'e2e/.*/kill-nine',
  },
  'rolling-restart': {
    what: 'every service restarted in turn under 50 requests a second, with two replicas of each',
    tests: 'e2e/replicas/rolling-restart',
  },
};

const [name = '', ...args] = process.argv.slice(2);
const stress = stresses[name];
if (!stress) {
  console.error('npm run stress -- <name>, where a name is one of');
  for (const [known, { what }] of Object.entries(stresses)) console.error(`  ${known.padEnd(16)} ${what}`);
  process.exit(1);
}
const command = [path.join(import.meta.dirname, 'test.ts'), stress.tests, ...args];
const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
  env: { ...process.env, PARLEY_STRESS: 'on' },
  stdio: 'inherit',
});
process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
