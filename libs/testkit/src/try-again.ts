import { jest } from '@jest/globals';

// On two busy cores a promise about time may miss its moment. A test that fails is tried once more, and what it failed
// with is shown even when the second try passes.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
