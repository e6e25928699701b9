import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { batch } from './batch.ts';

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

describe('a batch', () => {
  it('a batch contains the items of the same tick, and those that arrive meanwhile are the next one', async () => {
    const { calls, load } = heldBack();
    const add = batch(load);
    const first = [add(1), add(2)];
    await nextTick();
    const second = [add(3), add(4)];
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

  it('a batch fails as a whole, and the next one is executed', async () => {
    const { calls, load } = heldBack();
    const add = batch(load);
    const first = add(1);
    await nextTick();
    const second = add(2);
    calls[0]!.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await nextTick();
    calls[1]!.answer();
    expect(await second).toBe(20);
  });

  it('a batch has no more items than its maximum', async () => {
    const sizes: number[] = [];
    const add = batch(
      async (items: readonly number[]) => {
        sizes.push(items.length);
        return items;
      },
      { max: 3 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(add));
    expect(sizes).toEqual([3, 3, 1]);
  });

  it('a batch is not delayed for long by one that does not end', async () => {
    const { calls, load } = heldBack();
    const add = batch(load, { runMaxMs: 1 });
    const hanging = add(1);
    await nextTick();
    const next = add(2);
    while (calls.length < 2) await nextTick();
    calls[1]!.answer();
    expect(await next).toBe(20);
    calls[0]!.answer();
    expect(await hanging).toBe(10);
  });

  it('a batch belongs to the trace of its first item', async () => {
    const trace = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const add = batch(
      async (items: readonly number[]) => {
        seen.push(trace.getStore());
        await nextTick();
        return items;
      },
      { max: 2 },
    );
    const first = trace.run('first', () => add(1));
    await Promise.resolve();
    const others = ['second', 'third', 'fourth'].map((name, index) => trace.run(name, () => add(index)));
    await Promise.all([first, ...others]);
    expect(seen).toEqual(['first', 'second', 'fourth']);
  });

  describe('that may wait for more items', () => {
    let nowMs = 0;
    let sizes: number[] = [];
    const gathering = (frequentMs?: number) => {
      sizes = [];
      return batch(
        async (items: readonly number[]) => {
          sizes.push(items.length);
          return items;
        },
        { waitMs: 5, ...(frequentMs !== undefined && { frequentMs }), elapsedMs: () => nowMs },
      );
    };
    const oneByOne = async (add: (item: number) => Promise<number>, intervalMs: number) => {
      for (let n = 0; n < 20; n++) {
        nowMs += intervalMs;
        await add(n);
      }
      sizes = [];
    };
    /** The second is made while the first one would be executed already. */
    const two = async (add: (item: number) => Promise<number>) => {
      const first = add(1);
      await nextTick();
      expect(await Promise.all([first, add(2)])).toEqual([1, 2]);
    };

    it('a batch that may wait for more items waits for the rest of the time after the one before', async () => {
      const add = batch(
        async (items: readonly number[]) => {
          sizes.push(items.length);
          return items;
        },
        { spacingMs: 20 },
      );
      sizes = [];
      await add(0);
      await two(add);
      expect(sizes).toEqual([1, 2]);
    });

    it('a batch that may wait for more items waits while they are frequent', async () => {
      const add = gathering();
      await oneByOne(add, 2);
      await two(add);
      expect(sizes).toEqual([2]);
    });

    it('a batch that may wait for more items waits for a shorter time than there is between them', async () => {
      const add = gathering(20);
      await oneByOne(add, 10);
      await two(add);
      expect(sizes).toEqual([2]);
    });

    it('a batch that may wait for more items does not wait while they are rare', async () => {
      const add = gathering();
      await oneByOne(add, 10);
      await two(add);
      expect(sizes).toEqual([1, 1]);
    });

    it('a batch that may wait for more items does not wait after a pause', async () => {
      const add = gathering();
      await oneByOne(add, 2);
      nowMs += 60_000;
      await two(add);
      expect(sizes).toEqual([1, 1]);
    });

    it('a batch that may wait for more items waits for them always, if asked to', async () => {
      const add = gathering(Infinity);
      await two(add);
      expect(sizes).toEqual([2]);
    });
  });

  describe('with a key', () => {
    it('a batch with a key contains the items of one key, and does not wait for those of others', async () => {
      const { calls, load } = heldBack();
      const add = batch(load, { keyBy: (item) => (item % 2 === 0 ? 'even' : 'odd') });
      const first = [add(1), add(2), add(3)];
      await nextTick();
      const second = [add(4), add(6)];
      await nextTick();
      expect(calls.map(({ items }) => items)).toEqual([[1, 3], [2]]);
      calls[1]!.answer();
      await nextTick();
      expect(calls.map(({ items }) => items)).toEqual([[1, 3], [2], [4, 6]]);
      calls.forEach(({ answer }) => answer());
      expect(await Promise.all([...first, ...second])).toEqual([10, 20, 30, 40, 60]);
    });
  });

  describe('that has failed', () => {
    const failsWith = (message: string) =>
      batch(
        async (items: readonly number[]) => {
          if (items.includes(2)) throw new Error(message);
          return items;
        },
        { isRetriedAlone: (error) => (error as Error).message !== 'unreachable' },
      );
    const settled = async (add: (item: number) => Promise<number>) =>
      (await Promise.allSettled([1, 2, 3].map(add))).map(({ status }) => status);

    it('a batch that has failed is executed item by item, so that one does not fail the others', async () => {
      expect(await settled(failsWith('refused'))).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });

    it('a batch that has failed fails as a whole after an error that no item is responsible for', async () => {
      expect(await settled(failsWith('unreachable'))).toEqual(['rejected', 'rejected', 'rejected']);
    });
  });
});
