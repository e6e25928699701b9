import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDir } from '../utilities/scratch-dir.ts';

interface FileResult {
  name: string;
  status: 'passed' | 'failed';
  message: string;
  assertionResults: { fullName: string; status: string }[];
}

const IMPORT = `import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';\n`;

const FILES: Record<string, string> = {
  'assertion.test.ts': `${IMPORT}it('adds', () => expect(1 + 1).toBe(3));`,
  'rejection.test.ts': `${IMPORT}it('rejects', async () => { throw new Error('rejected in a test'); });`,
  'unhandled.test.ts': `${IMPORT}it('loses a promise', () => void Promise.reject(new Error('nobody waits for this')));`,
  'uncaught.test.ts': `${IMPORT}it('throws later', () => new Promise(() => setTimeout(() => { throw new Error('thrown by a timer'); })));`,
  'hanging.test.ts': `${IMPORT}it('never ends', () => new Promise(() => {}), 50);`,
  'hanging-hook.test.ts': `${IMPORT}beforeAll(() => new Promise(() => {}), 50);\nit('waits for the hook', () => {});`,
  'set-timeout.test.ts': `${IMPORT}jest.setTimeout(60);\nit('never ends', () => new Promise(() => {}));`,
  'syntax.test.ts': `${IMPORT}it('is not closed', () => {`,
  'missing.test.ts': `${IMPORT}import './no-such-file.ts';\nit('is never run', () => {});`,
  'empty.test.ts': `export const nothing: string = 'no tests';`,
  'exit.test.ts': `${IMPORT}it('exits', () => process.exit(0));`,
  'crash.test.ts': `${IMPORT}it('crashes the process', () => process.reallyExit(1));`,
  'helper.ts': `${IMPORT}afterEach(() => {});\nexport const helped = true;`,
  'helper-hook.test.ts': `${IMPORT}import { helped } from './helper.ts';\nit('helps', () => expect(helped).toBe(true));`,
  'kept.ts': `${IMPORT}let kept: typeof it;\nexport const keep = (name: string) => (kept ??= it)(name, () => {});`,
  'kept-1.test.ts': `import { keep } from './kept.ts';\nkeep('first');`,
  'kept-2.test.ts': `import { keep } from './kept.ts';\nkeep('second');`,
  ...Object.fromEntries([1, 2].map((n) => [`isolated-${n}.test.ts`, isolated()])),
  'features.test.ts': `${IMPORT}
    describe.each([1, 2])('each %i', (n) => {
      it.each([[n, n]])('%i is %i', (a: number, b: number) => expect(a).toBe(b));
    });
    it.skip('is skipped', () => expect(1).toBe(2));
    it('has fake timers', async () => {
      const called = jest.fn();
      jest.useFakeTimers();
      const timer = setTimeout(called, 1000);
      expect(jest.getTimerCount()).toBe(1);
      await jest.advanceTimersByTimeAsync(1000);
      jest.useRealTimers();
      expect(called).toHaveBeenCalledTimes(1);
      clearTimeout(timer);
    });`,
};

/** Changes everything that the next file of the process must not see. */
function isolated(): string {
  return `${IMPORT}
    import os from 'node:os';
    it('sees the original environment', () => {
      expect(process.env['LEFT_BEHIND']).toBeUndefined();
      expect(process.env['HOME_OF_TESTS']).toBe('original');
      expect(process.cwd()).not.toBe(os.tmpdir());
      expect(os.hostname()).not.toBe('spied');
      expect(Date.now()).toBeGreaterThan(1e12);
      process.env['LEFT_BEHIND'] = 'yes';
      process.env['HOME_OF_TESTS'] = 'changed';
      process.chdir(os.tmpdir());
      jest.spyOn(os, 'hostname').mockReturnValue('spied');
      jest.useFakeTimers({ now: 0 });
    });`;
}

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let exitCode: number;
const results = new Map<string, FileResult>();

beforeAll(async () => {
  scratch = await scratchDir();
  const root = path.join(scratch.path, 'cases');
  const started = path.join(scratch.path, 'started');
  await Promise.all([mkdir(root), mkdir(started)]);
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
  for (const [name, source] of Object.entries(FILES)) await writeFile(path.join(root, name), source);
  const here = import.meta.dirname;
  const config = {
    rootDir: root,
    testMatch: ['**/*.test.ts'],
    transform: {},
    waitForUnhandledRejections: true,
    runtime: path.join(here, 'native-runtime.ts'),
    testEnvironment: path.join(here, 'native-environment.ts'),
    // One process for all files, and not that of Jest.
    maxWorkers: 1,
    workerIdleMemoryLimit: '2GB',
    haste: { enableSymlinks: false },
  };
  const jest = path.resolve(here, '../../../../node_modules/jest/bin/jest.js');
  const report = path.join(scratch.path, 'report.json');
  const args = [
    '--disable-warning=ExperimentalWarning',
    jest,
    '--config',
    JSON.stringify(config),
    '--json',
    `--outputFile=${report}`,
  ];
  const env = { ...process.env, PARLEY_TEST_STARTED_DIR: started, HOME_OF_TESTS: 'original' };
  exitCode = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error) => resolve(Number(error?.code ?? 0)));
  });
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as { testResults: FileResult[] };
  for (const result of testResults) results.set(path.basename(result.name), result);
}, 180_000);
afterAll(() => scratch?.remove());

describe('a run of tests', () => {
  it('a run of tests fails when a file fails', () => {
    expect(exitCode).toBe(1);
    expect([...results.keys()].sort()).toEqual(
      Object.keys(FILES)
        .filter((name) => name.endsWith('.test.ts'))
        .sort(),
    );
  });

  it.each([
    ['assertion.test.ts', /Expected: 3[^]*assertion\.test\.ts:2:32/],
    ['rejection.test.ts', /rejected in a test[^]*rejection\.test\.ts:2:/],
    ['unhandled.test.ts', /nobody waits for this/],
    ['uncaught.test.ts', /thrown by a timer/],
    ['hanging.test.ts', /Exceeded timeout of 50 ms for a test[^]*hanging\.test\.ts:2:/],
    ['hanging-hook.test.ts', /Exceeded timeout of 50 ms for a hook/],
    ['set-timeout.test.ts', /Exceeded timeout of 60 ms for a test/],
    ['syntax.test.ts', /syntax\.test\.ts/],
    ['missing.test.ts', /Cannot find module .*no-such-file\.ts/],
    ['empty.test.ts', /must contain at least one test/],
    ['exit.test.ts', /a test called process\.exit\(0\)/],
    ['crash.test.ts', /the process that ran this file has crashed/],
    ['helper-hook.test.ts', /only a test file, or a function that it calls[^]*helper\.ts:2/],
  ])('a run of tests reports %s', (name, message) => {
    expect(results.get(name)?.status).toBe('failed');
    expect(results.get(name)?.message).toMatch(message);
  });

  it('a run of tests refuses tests that would be lost because a helper has kept a function of an earlier file', () => {
    const [first, second] = [results.get('kept-1.test.ts'), results.get('kept-2.test.ts')].sort((one) =>
      one?.status === 'passed' ? -1 : 1,
    );
    expect(first?.status).toBe('passed');
    expect(second?.message).toMatch(/of an earlier test file was used/);
  });

  it('a run of tests restores what a file has changed in its process', () => {
    expect(results.get('isolated-1.test.ts')?.message).toBe('');
    expect(results.get('isolated-2.test.ts')?.message).toBe('');
  });

  it('a run of tests runs tables, skipped tests and fake timers', () => {
    const of = (status: string) =>
      results.get('features.test.ts')?.assertionResults.flatMap((one) => (one.status === status ? one.fullName : []));
    expect(of('passed')).toEqual(['each 1 1 is 1', 'each 2 2 is 2', 'has fake timers']);
    expect(of('pending')).toEqual(['is skipped']);
  });
});
