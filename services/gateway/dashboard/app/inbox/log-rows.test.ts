import { describe, expect, it } from '@jest/globals';
import { logRows } from './log-rows.ts';

const GAP = 10;
const HEIGHT = 40;
const COUNT = 20;
const TOTAL = COUNT * (HEIGHT + GAP) - GAP;

const rowsOf = (...indexes: number[]) => {
  const placed = indexes.map((index) => ({
    index,
    start: index * (HEIGHT + GAP),
    end: index * (HEIGHT + GAP) + HEIGHT,
  }));
  return logRows(placed, TOTAL, GAP).map((row) => (row.kind === 'entry' ? row.index : `room of ${row.height}`));
};

/** All rows together, with the gaps between them. */
const heightOf = (rows: readonly (number | string)[]) =>
  rows.reduce<number>((sum, row) => sum + (typeof row === 'number' ? HEIGHT : Number(row.slice(8))) + GAP, -GAP);

describe('the rows of a log', () => {
  it('the rows of a log are all entries from the oldest to the newest', () => {
    const all = Array.from({ length: COUNT }, (_, index) => index);
    expect(rowsOf(...all)).toEqual(all.toReversed());
  });

  it('the rows of a log have room for the entries that are not rendered', () => {
    expect(rowsOf(5, 6, 7)).toEqual(['room of 590', 7, 6, 5, 'room of 240']);
    expect(rowsOf(0, 1)).toEqual(['room of 890', 1, 0]);
    expect(rowsOf(19)).toEqual([19, 'room of 940']);
    expect(rowsOf()).toEqual([`room of ${TOTAL}`]);
  });

  it('the rows of a log are as high as all entries, whichever are rendered', () => {
    for (const indexes of [[], [0], [19], [3, 4], [0, 7, 8, 19], [2, 12, 15]])
      expect(heightOf(rowsOf(...indexes))).toBe(TOTAL);
  });

  it('the rows of a log have rooms with different keys', () => {
    const placed = [2, 5, 9].map((index) => ({ index, start: index * 50, end: index * 50 + 40 }));
    const keys = logRows(placed, TOTAL, GAP).flatMap((row) => (row.kind === 'room' ? [row.key] : []));
    expect(new Set(keys).size).toBe(4);
  });
});
