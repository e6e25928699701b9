import { describe, expect, it } from '@jest/globals';
import { type LoadedList, withNewest, withOlder } from './loaded-list.ts';

const list = (letters: string, nextCursor: string | null): LoadedList<string> => ({ items: [...letters], nextCursor });
const itself = (item: string) => item;

describe('a loaded list', () => {
  it('a loaded list keeps older entries when its first page is read again', () => {
    expect(withNewest(list('fedcba', 'z'), list('hgfe', 'd'), itself)).toEqual(list('hgfedcba', 'z'));
  });

  it('a loaded list drops entries that are gone from the first page', () => {
    expect(withNewest(list('fedcba', 'z'), list('gfd', 'c'), itself)).toEqual(list('gfdcba', 'z'));
  });

  it('a loaded list starts again when the first page does not reach what was known', () => {
    expect(withNewest(list('cba', 'z'), list('hgf', 'e'), itself)).toEqual(list('hgf', 'e'));
  });

  it('a loaded list is the first page when there is no more', () => {
    expect(withNewest(list('cba', 'z'), list('dc', null), itself)).toEqual(list('dc', null));
    expect(withNewest(undefined, list('ba', 'z'), itself)).toEqual(list('ba', 'z'));
  });

  it('a loaded list does not take an entry that has moved for a place that is still known', () => {
    const threads = (text: string, nextCursor: string | null) => ({ items: text.split(' '), nextCursor });
    const name = (thread: string) => thread.slice(0, 1);
    // c has moved from 3 to 9: there may be more between d7 and c3.
    expect(withNewest(threads('c3 b2 a1', 'z'), threads('c9 e8 d7', 'y'), name, itself)).toEqual(
      threads('c9 e8 d7', 'y'),
    );
    expect(withNewest(threads('c3 b2 a1', 'z'), threads('a9 d8 c3', 'y'), name, itself)).toEqual(
      threads('a9 d8 c3 b2', 'z'),
    );
  });

  it('a loaded list keeps the objects of entries that have not changed', () => {
    const known = {
      items: [
        { id: 'b', text: 'B' },
        { id: 'a', text: 'A' },
      ],
      nextCursor: 'z',
    };
    const newest = {
      items: [
        { id: 'c', text: 'C' },
        { id: 'b', text: 'B' },
        { id: 'a', text: 'changed' },
      ],
      nextCursor: 'z',
    };
    const { items } = withNewest(known, newest, ({ id }) => id);
    expect(items).toEqual(newest.items);
    expect(items[1]).toBe(known.items[0]);
  });

  it('a loaded list grows by a page unless it has changed meanwhile', () => {
    expect(withOlder(list('fe', 'd'), 'd', list('edc', 'b'), itself)).toEqual(list('fedc', 'b'));
    expect(withOlder(list('fe', 'x'), 'd', list('dc', 'b'), itself)).toEqual(list('fe', 'x'));
  });
});
