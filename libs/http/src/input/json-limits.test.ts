import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JSON_LIMITS, jsonExcess } from './body-parser.ts';

const excess = (text: string, values: number) => jsonExcess(Buffer.from(text), { ...JSON_LIMITS, values });

describe('the limits of a JSON body', () => {
  it.each([
    ['[0,0,0]', 4, undefined],
    ['[0,0,0]', 2, 'values'],
    ['{"a":1,"b":2}', 2, undefined],
    ['{"a":1,"b":2}', 1, 'values'],
    ['["a,b,c,d"]', 1, undefined],
    ['["\\",,,\\\\",1]', 2, undefined],
    ['["\\\\",1,1,1]', 3, 'values'],
    ['"never closed,,,', 0, undefined],
    [`${'['.repeat(32)}${']'.repeat(32)}`, 100, undefined],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 100, 'depth'],
    [`[${'[],'.repeat(40)}[]]`, 100, undefined],
  ])('the limits of a JSON body find in %s with at most %i values: %s', (text, valuesMax, expected) => {
    expect(excess(text, valuesMax)).toBe(expected);
  });

  it('the limits of a JSON body count what a parser would find', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const values = countOf(value);
        expect(excess(text, values)).toBeUndefined();
        if (values > 0) expect(excess(text, values - 1)).toBe('values');
      }),
    );
  });

  it.each([
    ['zeros', `[${'0,'.repeat(500_000)}0]`],
    ['strings', `[${'"emp_123",'.repeat(90_000)}""]`],
    ['keys', `{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`)}}`],
    ['escapes', `["${'\\"'.repeat(500_000)}",${'0,'.repeat(6_000)}0]`],
  ])('the limits of a JSON body refuse a megabyte of %s within 100 ms of CPU time', (_what, text) => {
    const bytes = Buffer.from(text);
    const before = process.threadCpuUsage();
    expect(jsonExcess(bytes)).toBe('values');
    expect(process.threadCpuUsage(before).user).toBeLessThan(100_000);
  });
});

/** One for each container, and one for each item or member after the first. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  return 1 + Math.max(0, items.length - 1) + items.reduce<number>((sum, item) => sum + countOf(item), 0);
}
