import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { advance, closeGap, lastApplied, merge, NOTHING_APPLIED, compareTo, type Position } from './positions-store.ts';

const after = (...sequences: number[]) => sequences.reduce(advance, NOTHING_APPLIED);

describe('a position', () => {
  it.each<[Position, number, ReturnType<typeof compareTo>]>([
    [NOTHING_APPLIED, 1, 'next'],
    [NOTHING_APPLIED, 2, 'early'],
    [after(1, 2), 2, 'applied'],
    [after(1, 2), 3, 'next'],
    [after(1, 2), 4, 'early'],
    [after(1, 4), 4, 'applied'],
    [after(1, 4), 5, 'next'],
    [after(1, 4), 6, 'early'],
    [after(1, 4), 2, 'next'],
    [after(1, 4), 3, 'next'],
  ])('a position after %j classifies %i as %s', (position, sequence, expected) => {
    expect(compareTo(position, sequence)).toBe(expected);
  });

  it('a position has everything of two that are merged', () => {
    expect(merge(after(1), after(3, 5))).toEqual({ sequence: 1, ahead: [3, 5] });
    expect(merge(after(1, 2), after(3, 5))).toEqual({ sequence: 3, ahead: [5] });
    expect(merge(after(1), NOTHING_APPLIED)).toEqual(after(1));
  });

  it('a position grows by what follows, and keeps what came ahead of a gap', () => {
    expect(after(1, 2, 3)).toEqual({ sequence: 3, ahead: [] });
    expect(after(1, 3, 5)).toEqual({ sequence: 1, ahead: [3, 5] });
    expect(lastApplied(after(1, 3, 5))).toBe(5);
  });

  it('a position includes the events ahead when the gap is filled', () => {
    expect(after(1, 3, 4, 2)).toEqual({ sequence: 4, ahead: [] });
    expect(after(1, 3, 6, 2)).toEqual({ sequence: 3, ahead: [6] });
  });

  it('a position does not move for what it has', () => {
    const position = after(1, 3);
    expect(advance(position, 3)).toBe(position);
    expect(advance(position, 1)).toBe(position);
  });

  it('a position gives a gap up when too much has come ahead of it', () => {
    const long = Array.from({ length: 257 }, (_, i) => i + 3);
    expect(after(1, ...long)).toEqual({ sequence: 259, ahead: [] });
  });

  it('a position has one shortest form', () => {
    expect(closeGap({ sequence: 4, ahead: [9, 5, 2, 6] })).toEqual({ sequence: 6, ahead: [9] });
  });

  it('a position has applied everything once, in whatever order and however often it came', () => {
    const arrivals = fc.integer({ min: 1, max: 60 }).chain((count) => {
      const all = Array.from({ length: count }, (_, i) => i + 1);
      const again = fc.array(fc.integer({ min: 1, max: count }), { maxLength: 60 });
      return fc
        .tuple(fc.constant(count), again)
        .chain(([, more]) =>
          fc.tuple(fc.constant(count), fc.shuffledSubarray([...all, ...more], { minLength: count + more.length })),
        );
    });
    fc.assert(
      fc.property(arrivals, ([count, order]) => {
        const applied: number[] = [];
        let position = NOTHING_APPLIED;
        for (const sequence of order) {
          if (compareTo(position, sequence) === 'applied') continue;
          applied.push(sequence);
          position = advance(position, sequence);
        }
        expect(applied.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
        expect(position).toEqual({ sequence: count, ahead: [] });
      }),
      { numRuns: 300 },
    );
  });
});
