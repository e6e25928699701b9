import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { keyedSlots } from './keyed-slots.ts';

const signal = new AbortController().signal;

/** Work that ends on request. */
function heldWork() {
  const started: string[] = [];
  const release: (() => void)[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => release.push(() => resolve(name)));
  };
  return { started, release, work };
}

describe('slots by key', () => {
  it('slots by key limit concurrent work of one key, without delaying another', async () => {
    const { started, release, work } = heldWork();
    const slots = keyedSlots(2);
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => slots('a', signal, work(name)));
    const other = slots('b', signal, work('b1'));
    await turn();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    release[0]?.();
    expect(await all[0]).toBe('a1');
    await turn();
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (let index = 1; index < 5; index++) {
      release[index]?.();
      await turn();
    }
    expect(await Promise.all([...all, other])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('slots by key are free again after work that fails', async () => {
    const slots = keyedSlots(1);
    const failing = () => Promise.reject(new Error('no'));
    await expect(slots('a', signal, failing)).rejects.toThrow('no');
    expect(await slots('a', signal, async () => 'done')).toBe('done');
  });

  it('slots by key do not start aborted work', async () => {
    const { started, release, work } = heldWork();
    const slots = keyedSlots(1);
    const leaving = new AbortController();
    const first = slots('a', signal, work('first'));
    const second = slots('a', leaving.signal, work('second'));
    const third = slots('a', signal, async () => 'third');
    leaving.abort();
    release[0]?.();
    await expect(second).rejects.toThrow();
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
    expect(started).toEqual(['first']);
  });
});
