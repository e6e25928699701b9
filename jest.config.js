const everyProject = {
  rootDir: import.meta.dirname,
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
  transformIgnorePatterns: ['/node_modules/', '/proto/gen/'],
  modulePathIgnorePatterns: ['<rootDir>/deploy/bootstrap/'],
};

/** Two projects: what stands beside the code, on a MongoDB and a NATS of its own; and the stories, on a whole local stack. */
export default {
  testTimeout: 30_000,
  projects: [
    {
      ...everyProject,
      displayName: 'code',
      roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/deploy'],
      globalSetup: '<rootDir>/libs/testkit/src/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testkit/src/global-teardown.ts',
    },
    {
      ...everyProject,
      displayName: 'stories',
      roots: ['<rootDir>/e2e'],
      globalSetup: '<rootDir>/e2e/support/global-setup.ts',
      globalTeardown: '<rootDir>/e2e/support/global-teardown.ts',
    },
  ],
};
