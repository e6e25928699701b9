/** One configuration for every package; `testMatch` follows the house's file names. */
export default {
  rootDir: '.',
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/deploy', '<rootDir>/e2e'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
  transformIgnorePatterns: ['/node_modules/', '/proto/gen/'],
  modulePathIgnorePatterns: ['<rootDir>/deploy/bootstrap/'],
  globalSetup: '<rootDir>/libs/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testkit/src/global-teardown.ts',
  testTimeout: 30_000,
};
