import { describe, expect, it } from '@jest/globals';
import { coalesce } from './coalesce.ts';

/** An `ask` that answers when it is let go. */
function heldBack() {
  const calls: { items: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const load = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) =>
      calls.push({ items, answer: () => resolve(items.map((item) => item * 10)), fail: reject }),
    );
  return { calls, load };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('asking together', () => {
  it('asks for what came in the same breath in one call, and what comes meanwhile in the next', async () => {
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

  it('fails for those who were asked for together, and goes on with the others', async () => {
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

  it('asks for no more than so many at once', async () => {
    const sizes: number[] = [];
    const coalesced = coalesce(async (items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    }, 3);
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(coalesced));
    expect(sizes).toEqual([3, 3, 1]);
  });
});
