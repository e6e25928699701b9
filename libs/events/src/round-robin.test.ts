import { describe, expect, it } from '@jest/globals';
import { roundRobin } from './round-robin.ts';

describe('a round robin', () => {
  it('serves keys in turn, however many items one has', () => {
    const items = roundRobin<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) items.add(item[0] ?? '', item);
    const taken = Array.from({ length: 7 }, () => items.take());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect(items.size()).toBe(0);
  });
});
