import { describe, expect, it } from '@jest/globals';
import { startAll } from './start-all.ts';

const never = new AbortController().signal;

/** Starts on demand; counts how often it is stopped. */
function part() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const self = {
    stopped: 0,
    resolve,
    start: async () => {
      await promise;
      return { stop: async () => void self.stopped++ };
    },
  };
  return self;
}

/** Never ready; ends when it is given up. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));

describe('starting together', () => {
  it('starting together answers with all of them, in order', async () => {
    const [first, second] = [part(), part()];
    const starting = startAll([first.start, second.start], never);
    second.resolve();
    first.resolve();
    expect((await starting).length).toBe(2);
    expect(first.stopped + second.stopped).toBe(0);
  });

  it('starting together stops what had started when one fails, and passes on the first error', async () => {
    const good = part();
    good.resolve();
    const bad = () => Promise.reject(new Error('no disk'));
    await expect(startAll([good.start, hanging, bad], never)).rejects.toThrow('no disk');
    expect(good.stopped).toBe(1);
  });

  it('starting together gives up on request', async () => {
    const good = part();
    good.resolve();
    const giveUp = new AbortController();
    const starting = startAll([good.start, hanging], giveUp.signal);
    giveUp.abort();
    await expect(starting).rejects.toThrow('given up');
    expect(good.stopped).toBe(1);
  });
});
