import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { withTimeout } from './clock.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('work with a time limit', () => {
  it('work with a time limit returns the result, and leaves no timer running', async () => {
    expect(await withTimeout(1000, Promise.resolve('done'))).toBe('done');
    await expect(withTimeout(1000, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('work with a time limit answers undefined when it takes longer', async () => {
    const answer = withTimeout(1000, new Promise(() => {}));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await answer).toBeUndefined();
  });
});
