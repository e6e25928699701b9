import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type FakeTimersConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/** Jest's internals read this instead of `Date.now`, which tests may replace. */
const NATIVE_NOW = Symbol.for('jest-native-now');
/** Set by `jest.setTimeout`, for one test file. */
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Events of jest-circus by which hooks and tests are added to the test file. */
const REGISTRATIONS = new Set(['add_hook', 'add_test', 'start_describe_definition']);

const realNow = Date.now.bind(Date);

/**
 * Jest's test environment without a context of its own: test files run in the globals of their process, one after the other.
 * After each file it restores what a test can change there: environment variables, folder, console, timers, spies.
 */
export class NativeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimersModern: ModernFakeTimers;
  /** The file that is being imported. */
  loading: string | undefined;
  readonly #before = { env: { ...process.env }, cwd: process.cwd(), console: globalThis.console, exit: process.exit };

  constructor({ projectConfig }: { projectConfig: FakeTimersConfig }, { testPath }: { testPath: string }) {
    refuseSecondRun(testPath);
    Object.defineProperty(globalThis, NATIVE_NOW, { value: realNow, configurable: true });
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {
    const format = Error.prepareStackTrace;
    // Jest shortens and links paths, not URLs.
    Error.prepareStackTrace = (error, frames) =>
      String(format?.(error, frames)).replaceAll(/^( +at .*)file:\/\//gm, '$1');
    process.exit = (code) => {
      throw new Error(`a test called process.exit(${code ?? ''})`);
    };
  }

  /** A helper module is loaded once per process: hooks and tests that it registers on import would exist in the first file only. */
  handleTestEvent({ name, asyncError }: { name: string; asyncError?: Error }): void {
    if (!REGISTRATIONS.has(name) || !this.loading || asyncError?.stack?.includes(this.loading)) return;
    const error = new Error('only a test file, or a function that it calls, can register hooks and tests');
    error.stack = asyncError?.stack?.replace(/^.*/, `Error: ${error.message}`) ?? error.stack;
    throw error;
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { env, cwd, console, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.chdir(cwd);
    // At the end of the process it would take longer than Jest waits for it.
    flushCompileCache();
    globalThis.console = console;
    process.exit = exit;
    Reflect.deleteProperty(globalThis, TEST_TIMEOUT);
  }

  /** Required by Jest; there is no context. */
  getVmContext(): null {
    return null;
  }
}

/** When a process crashes, Jest silently runs its test file again in a new one. PARLEY_TEST_STARTED_DIR notes which files have been started. */
function refuseSecondRun(testPath: string): void {
  const { PARLEY_TEST_STARTED_DIR: started } = process.env;
  if (!started) return;
  try {
    writeFileSync(path.join(started, createHash('sha1').update(testPath).digest('hex')), '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error('the process that ran this file has crashed; the reason is printed above', { cause: error });
  }
}

// Jest loads this file with `require`.
export { NativeEnvironment as 'module.exports' };
