// Implements `npm test`, also in CI: the static checks, the tests, and at the end, alone, those with limits on elapsed time.
// `--long` is `npm run long-tests`: conversations in real time (`*.spoken.test.ts`) and tests that take minutes each (`*.long.test.ts`).
// Arguments go to Jest and leave the checks out; `--in <folder>` comes from the script of a package and runs its tests only.
// `changed`, with a commit or without, runs the checks and the tests that the changes since then can affect.
// `--stock` runs the tests on Jest's own module system.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changedTests } from './changed-tests.ts';
import { jestArguments } from './jest-arguments.ts';
import { root } from './root.ts';
import { runCommand } from './run-command.ts';
import { runStaticChecks } from './static-checks.ts';

const given = process.argv.slice(2).filter((argument) => argument !== '--stock' && argument !== '--long');
const isStock = process.argv.includes('--stock');
const isLong = process.argv.includes('--long');
const chosen = given[0] === '--in' ? jestArguments(given[1] ?? '', given.slice(2)) : given;
const runs: JestRun[] = [];
let interrupted = false;
let checks = { passed: 0, failed: 0 };
if (isLong) {
  await fetchModels();
  // Beside two busy processors the words of a caller arrive in pieces, and are heard wrong.
  await runAll(['--selectProjects', 'spoken', '--maxWorkers=2', '--passWithNoTests', ...chosen]);
  await runAll(['--selectProjects', 'long-code', 'long-e2e', '--maxWorkers=1', '--passWithNoTests', ...chosen]);
} else if (chosen.length > 0 && chosen[0] !== 'changed') {
  runs.push(await runJest(chosen));
} else {
  const tests = chosen[0] === 'changed' ? await changedTests(chosen[1]) : undefined;
  if (tests) console.log(`${tests.length} test files can be affected by what has changed`);
  [checks] = await Promise.all([runStaticChecks(), fetchModels()]);
  const isTiming = (test: string) => test.endsWith('.timing.test.ts');
  const isFurther = (test: string) => /\.(timing|spoken|long)\.test\.ts$/.test(test);
  await runAll(
    ['--selectProjects', 'code', 'e2e'],
    tests?.filter((test) => !isFurther(test)),
  );
  await runAll(['--selectProjects', 'timing', '--maxWorkers=1'], tests?.filter(isTiming));
}
const sum = (count: 'passed' | 'failed' | 'skipped') => runs.reduce((total, run) => total + run[count], 0);
console.log(
  `${checks.passed + sum('passed')} passed, ${checks.failed + sum('failed')} failed, ${sum('skipped')} skipped`,
);
process.exitCode = checks.failed === 0 && runs.every(({ ok }) => ok) ? 0 : 1;

interface JestRun {
  ok: boolean;
  passed: number;
  failed: number;
  skipped: number;
}

/** All tests of some projects, or those of them that are given. */
async function runAll(args: readonly string[], tests?: readonly string[]): Promise<void> {
  if (interrupted || tests?.length === 0) return;
  runs.push(await runJest([...args, ...(tests ? ['--runTestsByPath', ...tests] : [])]));
}

/** Speech engines and models are there before the tests: several test files would each fetch them at the same time. */
async function fetchModels(): Promise<void> {
  const folder = path.join(root, 'node_modules/.cache/parley/models');
  const { ok, output } = await runCommand(process.execPath, [
    'services/speech/src/assets/fetch-assets-main.ts',
    folder,
  ]);
  // The tests that need them try again.
  if (!ok) console.log(`speech models were not fetched:\n${output}`);
}

async function runJest(args: readonly string[]): Promise<JestRun> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'parley-test-'));
  const report = path.join(scratch, 'report.json');
  try {
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    const flags = ['--disable-warning=ExperimentalWarning', ...(isStock ? ['--experimental-vm-modules'] : [])];
    const workers = args.some((one) => /^(-i|--runInBand|-w|--maxWorkers.*)$/.test(one)) ? [] : ['--maxWorkers=3'];
    const child = spawn(process.execPath, [...flags, jest, ...workers, '--json', `--outputFile=${report}`, ...args], {
      cwd: root,
      env: { ...process.env, PARLEY_TEST_STARTED_DIR: scratch, ...(isStock && { PARLEY_STOCK_JEST: 'on' }) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const forward = (signal: NodeJS.Signals) => {
      interrupted = true;
      child.kill(signal);
    };
    process.on('SIGINT', forward).on('SIGTERM', forward);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    process.off('SIGINT', forward).off('SIGTERM', forward);
    // Without a report Jest could not start, and has printed the reason.
    const written = await readFile(report, 'utf8').catch(() => undefined);
    if (written === undefined) return { ok: false, passed: 0, failed: 1, skipped: 0 };
    const result = JSON.parse(written) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
      numRuntimeErrorTestSuites: number;
    };
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    return { ok: code === 0, passed: result.numPassedTests, failed, skipped: result.numPendingTests };
  } finally {
    await rm(scratch, { recursive: true });
  }
}
