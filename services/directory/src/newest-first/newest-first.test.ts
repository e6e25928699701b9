import { describe, expect, it } from '@jest/globals';
import { endOfPage } from './newest-first.ts';

describe('the end of a page', () => {
  const at = (id: string, createdOrder: number) => ({ id, createdOrder });

  it('the end of a page is its last item, with the others of the same order', () => {
    expect(endOfPage([], undefined)).toBeUndefined();
    expect(endOfPage([at('a', 7), at('b', 5)], undefined)).toEqual({ createdOrder: 5, ids: ['b'] });
    expect(endOfPage([at('a', 5), at('b', 5)], undefined)).toEqual({ createdOrder: 5, ids: ['a', 'b'] });
  });

  it('the end of a page includes those of the page before, when more than a page has the same order', () => {
    expect(endOfPage([at('c', 5)], { createdOrder: 5, ids: ['a', 'b'] })).toEqual({
      createdOrder: 5,
      ids: ['a', 'b', 'c'],
    });
    expect(endOfPage([at('c', 4)], { createdOrder: 5, ids: ['a'] })).toEqual({ createdOrder: 4, ids: ['c'] });
  });
});
