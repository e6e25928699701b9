import { describe, expect, it } from '@jest/globals';
import { waitUntil } from './wait-until.ts';

describe('waiting until something is so', () => {
  it('waiting until something is so answers with what came true', async () => {
    let calls = 0;
    expect(await waitUntil(() => ++calls >= 3 && `asked ${calls} times`, { what: 'three questions' })).toBe(
      'asked 3 times',
    );
  });

  it('waiting until something is so takes an exception for not yet', async () => {
    let calls = 0;
    const condition = async () => {
      if (++calls < 3) throw new Error('not there');
      return calls;
    };
    expect(await waitUntil(condition, { what: 'it' })).toBe(3);
  });

  it('waiting until something is so reports what it waited for and the last result', async () => {
    await expect(waitUntil(() => null, { what: 'a call', timeoutMs: 30 })).rejects.toThrow(
      /^waited 0.03 s for a call; the last answer was null$/,
    );
  });

  it('waiting until something is so reports the last exception', async () => {
    const failing = () => Promise.reject(new Error('connection refused'));
    await expect(waitUntil(failing, { what: 'an answer', timeoutMs: 30 })).rejects.toThrow(
      /^waited 0.03 s for an answer; the last try failed: connection refused$/,
    );
  });
});
