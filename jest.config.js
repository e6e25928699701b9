const TIMING = '\\.timing\\.test\\.ts$';
/** Conversations in real time: the caller's words arrive in pieces, and are heard wrong, where both processors are busy. */
const SPOKEN = '\\.spoken\\.test\\.ts$';
const LONG = '\\.long\\.test\\.ts$';

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
  testPathIgnorePatterns: ['/node_modules/', TIMING, SPOKEN, LONG],
  ...(process.env.PARLEY_STOCK_JEST === 'on' ? stock : native),
  modulePathIgnorePatterns: ['<rootDir>/deploy/bootstrap/'],
};

/**
 * Five projects: `code`, the tests beside the code, with one MongoDB and one NATS for each run; `e2e`, the tests against a
 * running local stack; `spoken`, those of them that speak with an assistant in real time, which run after the others; `timing`, tests with limits on elapsed time, which `npm test` runs last and one at a time; and `long`,
 * tests that take minutes each on a stack of their own, which `npm run long-tests` runs.
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
    {
      ...everyProject,
      displayName: 'code',
      roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/deploy'],
      globalSetup: '<rootDir>/libs/testkit/src/jest/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testkit/src/jest/global-teardown.ts',
    },
    {
      ...everyProject,
      displayName: 'e2e',
      roots: ['<rootDir>/e2e'],
      globalSetup: '<rootDir>/e2e/support/global-setup.ts',
      globalTeardown: '<rootDir>/e2e/support/global-teardown.ts',
    },
    {
      ...everyProject,
      displayName: 'spoken',
      testMatch: ['**/*.spoken.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
      roots: ['<rootDir>/e2e'],
      globalSetup: '<rootDir>/e2e/support/global-setup.ts',
      globalTeardown: '<rootDir>/e2e/support/global-teardown.ts',
    },
    {
      ...everyProject,
      displayName: 'timing',
      testMatch: ['**/*.timing.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
      roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/deploy'],
      globalSetup: '<rootDir>/libs/testkit/src/jest/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testkit/src/jest/global-teardown.ts',
    },
    {
      ...everyProject,
      displayName: 'long',
      testMatch: ['**/*.long.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
      roots: ['<rootDir>/e2e'],
    },
  ],
};
