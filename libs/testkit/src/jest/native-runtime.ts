import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as jestGlobals from '@jest/globals';
import { setGlobals } from './globals.ts';
import type { NativeEnvironment } from './native-environment.ts';

type JestObject = typeof jestGlobals.jest;

/** Jest's event handlers for the running test file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const globals = globalThis as unknown as Record<symbol, unknown>;
const require = createRequire(import.meta.url);
const globalsUrl = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globalsUrl, shortCircuit: true } : next(specifier, context),
});

/**
 * Jest's module system, replaced by that of Node.js: test files are imported natively, without a transform, and the
 * modules that they use are loaded once per process. Modules cannot be mocked.
 */
export class NativeRuntime {
  readonly #environment: NativeEnvironment;

  constructor(_config: unknown, environment: NativeEnvironment) {
    this.#environment = environment;
  }

  /** Loads Jest's test framework (jest-circus) again for each file, because the state of a run is in its modules. */
  requireInternalModule(modulePath: string): unknown {
    delete globals[EVENT_HANDLERS];
    delete require.cache[modulePath];
    return require(modulePath);
  }

  setGlobalsForRuntime(framework: Omit<typeof jestGlobals, 'jest'>): void {
    setGlobals(framework, this.#jestObject());
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(modulePath: string): Promise<void> {
    this.#environment.loading = modulePath;
    await import(pathToFileURL(modulePath).href);
    this.#environment.loading = undefined;
  }

  requireModule(modulePath: string): unknown {
    return require(modulePath);
  }

  /** From now on a function of this file's run that a helper has kept fails, rather than add tests that never run. */
  teardown(): void {
    (globals[EVENT_HANDLERS] as (() => void)[]).push(() => {
      throw new Error('`it`, `describe` or a hook of an earlier test file was used: import it where it is called');
    });
  }

  clearAllMocks(): void {
    this.#environment.moduleMocker.clearAllMocks();
  }

  resetAllMocks(): void {
    this.#environment.moduleMocker.resetAllMocks();
  }

  restoreAllMocks(): void {
    this.#environment.moduleMocker.restoreAllMocks();
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  getSourceMaps(): null {
    return null;
  }
  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  #jestObject(): Partial<JestObject> {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.#environment;
    const jest: Partial<JestObject> = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      useFakeTimers: (config) => (timers.useFakeTimers(config as never), jest as JestObject),
      useRealTimers: () => (timers.useRealTimers(), jest as JestObject),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      getTimerCount: () => timers.getTimerCount(),
      setTimeout: (ms) => ((globals[TEST_TIMEOUT] = ms), jest as JestObject),
    };
    return jest;
  }
}

// Jest loads this file with `require`.
export { NativeRuntime as 'module.exports' };
