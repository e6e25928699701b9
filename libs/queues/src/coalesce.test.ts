import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { coalesce } from './coalesce.ts';

/** A `load` that resolves on request. */
function heldBack() {
  const calls: { items: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const load = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) =>
      calls.push({ items, answer: () => resolve(items.map((item) => item * 10)), fail: reject }),
    );
  return { calls, load };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesced requests', () => {
  it('of the same tick are one call, and those that come meanwhile are the next', async () => {
    const { calls, load } = heldBack();
    const coalesced = coalesce(load);
    const first = [coalesced(1), coalesced(2)];
    await nextTick();
    const second = [coalesced(3), coalesced(4)];
    await nextTick();
    expect(calls.map(({ items }) => items)).toEqual([[1, 2]]);
    calls[0]!.answer();
    expect(await Promise.all(first)).toEqual([10, 20]);
    await nextTick();
    expect(calls.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    calls[1]!.answer();
    expect(await Promise.all(second)).toEqual([30, 40]);
  });

  it('fail together, and the others continue', async () => {
    const { calls, load } = heldBack();
    const coalesced = coalesce(load);
    const first = coalesced(1);
    await nextTick();
    const second = coalesced(2);
    calls[0]!.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await nextTick();
    calls[1]!.answer();
    expect(await second).toBe(20);
  });

  it('are no more than so many at once', async () => {
    const sizes: number[] = [];
    const coalesced = coalesce(
      async (items: readonly number[]) => {
        sizes.push(items.length);
        return items;
      },
      { batchMax: 3 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(coalesced));
    expect(sizes).toEqual([3, 3, 1]);
  });

  it('wait for a batch that hangs no longer than they should', async () => {
    const { calls, load } = heldBack();
    const coalesced = coalesce(load, { waitMaxMs: 1 });
    const hanging = coalesced(1);
    await nextTick();
    const next = coalesced(2);
    while (calls.length < 2) await nextTick();
    calls[1]!.answer();
    expect(await next).toBe(20);
    calls[0]!.answer();
    expect(await hanging).toBe(10);
  });

  it('belong to the trace of the first of them', async () => {
    const trace = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const coalesced = coalesce(
      async (items: readonly number[]) => {
        seen.push(trace.getStore());
        await nextTick();
        return items;
      },
      { batchMax: 2 },
    );
    const first = trace.run('first', () => coalesced(1));
    await Promise.resolve();
    const others = ['second', 'third', 'fourth'].map((name, index) => trace.run(name, () => coalesced(index)));
    await Promise.all([first, ...others]);
    expect(seen).toEqual(['first', 'second', 'fourth']);
  });

  describe('that may wait for more', () => {
    let nowMs = 0;
    let sizes: number[] = [];
    const gathering = (waitBelowMs?: number) => {
      sizes = [];
      return coalesce(
        async (items: readonly number[]) => {
          sizes.push(items.length);
          return items;
        },
        { batchWaitMs: 5, ...(waitBelowMs !== undefined && { waitBelowMs }), elapsedMs: () => nowMs },
      );
    };
    const oneByOne = async (coalesced: (item: number) => Promise<number>, intervalMs: number) => {
      for (let n = 0; n < 20; n++) {
        nowMs += intervalMs;
        await coalesced(n);
      }
      sizes = [];
    };
    /** The second is made while the first one would be executed already. */
    const two = async (coalesced: (item: number) => Promise<number>) => {
      const first = coalesced(1);
      await nextTick();
      expect(await Promise.all([first, coalesced(2)])).toEqual([1, 2]);
    };

    it('gather while they are frequent', async () => {
      const coalesced = gathering();
      await oneByOne(coalesced, 2);
      await two(coalesced);
      expect(sizes).toEqual([2]);
    });

    it('gather for a shorter time than there is between them', async () => {
      const coalesced = gathering(20);
      await oneByOne(coalesced, 10);
      await two(coalesced);
      expect(sizes).toEqual([2]);
    });

    it('do not wait while they are rare', async () => {
      const coalesced = gathering();
      await oneByOne(coalesced, 10);
      await two(coalesced);
      expect(sizes).toEqual([1, 1]);
    });

    it('do not wait after a pause', async () => {
      const coalesced = gathering();
      await oneByOne(coalesced, 2);
      nowMs += 60_000;
      await two(coalesced);
      expect(sizes).toEqual([1, 1]);
    });
  });
});
