import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { gather } from './gather.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function doubled() {
  const batches: (readonly number[])[] = [];
  const ask = gather(async (items: readonly number[]) => {
    batches.push(items);
    return items.map((item) => item * 2);
  }, 20);
  return { ask, batches };
}

describe('gathered requests', () => {
  it('are answered together, in their order, if they come within the time of the first one', async () => {
    const { ask, batches } = doubled();
    const first = ask(1);
    jest.advanceTimersByTime(19);
    const second = ask(2);
    jest.advanceTimersByTime(1);
    expect(await Promise.all([first, second])).toEqual([2, 4]);
    expect(batches).toEqual([[1, 2]]);
  });

  it('belong to the next batch if they come later, also while the first one is executed', async () => {
    const { ask, batches } = doubled();
    const first = ask(1);
    jest.advanceTimersByTime(20);
    const second = ask(2);
    jest.advanceTimersByTime(20);
    expect(await Promise.all([first, second])).toEqual([2, 4]);
    expect(batches).toEqual([[1], [2]]);
  });

  it('all fail with a failed batch, but not the next one', async () => {
    let fails = true;
    const ask = gather(async (items: readonly number[]) => {
      if (fails) throw new Error('unreachable');
      return items;
    }, 20);
    const failing = Promise.allSettled([ask(1), ask(2)]);
    await jest.advanceTimersByTimeAsync(20);
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    const third = ask(3);
    jest.advanceTimersByTime(20);
    expect(await third).toBe(3);
  });
});
