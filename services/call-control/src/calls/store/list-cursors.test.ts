import { describe, expect, it } from '@jest/globals';
import { cursorOf, positionFrom, rankFrom, searchCursorOf } from './list-cursors.ts';

const position = { startedAt: new Date('2026-03-02T10:00:00.123Z'), id: 'cal_1' };

describe('cursors', () => {
  it('cursors lead back to where they were made', () => {
    expect(positionFrom(cursorOf(position))).toEqual(position);
    expect(rankFrom(searchCursorOf(20))).toBe(20);
  });

  it.each(['', 'x', 'W10', 'WzEsMl0', 'bnVsbA', 'ImEi', searchCursorOf(-1), searchCursorOf(1.5)])(
    'cursors that are forged are refused: %j',
    (cursor) => {
      expect(() => positionFrom(cursor)).toThrow();
      expect(() => rankFrom(cursor)).toThrow();
    },
  );

  it('cursors of a list are refused by a search, and the other way round', () => {
    expect(() => rankFrom(cursorOf(position))).toThrow();
    expect(() => positionFrom(searchCursorOf(1))).toThrow();
  });
});
