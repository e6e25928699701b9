import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { percentile, sizeOf, sumOf } from './cell.ts';

const secs = fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 200 });
const spreadOf = (values: readonly number[]) =>
  sumOf(values.map((value) => ({ counts: { total: 1 }, spreads: { wait: { [value]: 1 } } }))).spreads['wait'];

describe('a percentile', () => {
  it('a percentile is that of a sorted list by nearest rank', () => {
    fc.assert(
      fc.property(secs, fc.constantFrom(50, 90), (values, percent) => {
        const sorted = values.toSorted((a, b) => a - b);
        expect(percentile(spreadOf(values), percent)).toBe(sorted[Math.ceil((percent / 100) * sorted.length) - 1]);
      }),
    );
  });

  it('a percentile is zero without values', () => {
    expect(percentile({}, 90)).toBe(0);
    expect(percentile(undefined, 50)).toBe(0);
  });
});

describe('a sum of cells', () => {
  it('a sum of cells has the number and the sum of all values', () => {
    fc.assert(
      fc.property(secs, (values) => {
        const sum = values.reduce((all, value) => all + value, 0);
        expect(sizeOf(spreadOf(values))).toEqual({ count: values.length, sum });
      }),
    );
  });
});
