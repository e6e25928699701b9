/** By `npm test -- --stock`: Jest's own module system and environment instead of ours. */
const stock = {
  transform: { '\\.ts$': '<rootDir>/libs/testkit/src/jest/strip-types.ts' },
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
};

/** Test files are imported natively ([libs/testkit](libs/testkit/README.md#jest)). */
const native = {
  transform: {},
  runtime: '<rootDir>/libs/testkit/src/jest/native-runtime.ts',
  testEnvironment: '<rootDir>/libs/testkit/src/jest/native-environment.ts',
};

const everyProject = {
  rootDir: import.meta.dirname,
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(timing|spoken|long)\\.test\\.ts$'],
  ...(process.env.PARLEY_STOCK_JEST === 'on' ? stock : native),
  modulePathIgnorePatterns: ['<rootDir>/deploy/bootstrap/'],
};

const code = {
  ...everyProject,
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/deploy', '<rootDir>/clients'],
  globalSetup: '<rootDir>/libs/testkit/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testkit/src/jest/global-teardown.ts',
};
const e2e = {
  ...everyProject,
  roots: ['<rootDir>/e2e'],
  globalSetup: '<rootDir>/e2e/support/global-setup.ts',
  globalTeardown: '<rootDir>/e2e/support/global-teardown.ts',
};
const only = (kind) => ({ testMatch: [`**/*.${kind}.test.ts`], testPathIgnorePatterns: ['/node_modules/'] });

/**
 * `npm test` runs three projects: `code`, the tests beside the code, with one MongoDB and one NATS for each run; `e2e`, the tests against a
 * running local stack; and `timing`, tests with limits on elapsed time, which run last and one at a time. `npm run long-tests` runs the others:
 * `spoken`, conversations with an assistant in real time, and `long-code` and `long-e2e`, tests that take minutes each.
 */
export default {
  // For a test that hangs: on a slow machine, with other tests at the same time, a good one may take a minute.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/deploy/checks/src/test-sequencer.ts',
  waitForUnhandledRejections: true,
  // Tests that run at once (`it.concurrent`) nearly only wait.
  maxConcurrency: 20,
  // Tests run in processes of their own, also a single file: Jest's process keeps its globals.
  workerIdleMemoryLimit: '1GB',
  // The end of a process with hundreds of megabytes takes more than Jest's half a second while both cores are busy; what keeps it
  // from ending, such as a timer that a test has left, is still reported.
  workerGracefulExitTimeout: 10_000,
  projects: [
    { ...code, displayName: 'code' },
    { ...e2e, displayName: 'e2e' },
    { ...code, displayName: 'timing', ...only('timing') },
    { ...e2e, displayName: 'spoken', ...only('spoken') },
    { ...code, displayName: 'long-code', ...only('long') },
    { ...e2e, displayName: 'long-e2e', ...only('long') },
  ],
};
