import { describe, expect, it } from '@jest/globals';
import type { InboxItem } from '../api/schema.d.ts';
import { estimateHeight, logEntries } from './log-entries.ts';

const item = (id: string, day: number, type = 'message') =>
  ({ id, type, created_at: new Date(2026, 10, day, 12).toISOString(), text: id }) as unknown as InboxItem;
const keys = (...items: InboxItem[]) => logEntries(items).map(({ key }) => key);

describe('the entries of a log', () => {
  it('the entries of a log are the items, newest first, each day followed by its heading', () => {
    expect(keys(item('d', 3), item('c', 3), item('b', 2), item('a', 1))).toEqual([
      'd',
      'c',
      'day c',
      'b',
      'day b',
      'a',
      'day a',
    ]);
    expect(keys()).toEqual([]);
  });

  it('the entries of a log have no place for an item of a type that is not known', () => {
    expect(keys(item('c', 2), item('b', 1, 'of the future'), item('a', 1, 'of the future'))).toEqual(['c', 'day c']);
  });

  it('the entries of a log are taken for higher the more is written in them', () => {
    const [short, long] = logEntries([item('short', 1), item('long '.repeat(100), 1)]).map(estimateHeight);
    expect(long).toBeGreaterThan(short! + 100);
  });
});
