import { describe, expect, it } from '@jest/globals';
import { fairQueue } from './queues.ts';

describe('a fair queue', () => {
  it('a fair queue serves keys in turn, however many items one has', () => {
    const items = fairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) items.add(item[0] ?? '', item);
    const taken = Array.from({ length: 7 }, () => items.take());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect(items.size()).toBe(0);
  });

  it('a fair queue lets an item overtake those of its own key that may wait', () => {
    const items = fairQueue<string>((one, other) => one.endsWith('!') && !other.endsWith('!'));
    for (const item of ['a1', 'a2', 'b1', 'a3!', 'a4!']) items.add(item[0] ?? '', item);
    const taken = Array.from({ length: 5 }, () => items.take());
    expect(taken).toEqual(['a3!', 'b1', 'a4!', 'a1', 'a2']);
  });

  it('a fair queue passes over a key whose next item may not be taken', () => {
    const items = fairQueue<string>();
    for (const item of ['a1', 'b1', 'a2']) items.add(item[0] ?? '', item);
    const notA = (item: string) => !item.startsWith('a');
    expect([items.take(notA), items.take(notA), items.take(), items.size()]).toEqual(['b1', undefined, 'a1', 1]);
  });

  it('a fair queue has the number of waiting items, by key and in total, and can be cleared', () => {
    const items = fairQueue<string>();
    for (const item of ['a1', 'a2', 'b1']) items.add(item[0] ?? '', item);
    expect([items.size(), items.sizeOf('a'), items.sizeOf('c')]).toEqual([3, 2, 0]);
    expect(items.clear()).toEqual(['a1', 'a2', 'b1']);
    expect([items.size(), items.take()]).toEqual([0, undefined]);
  });
});
