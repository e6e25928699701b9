import { describe, expect, it } from '@jest/globals';
import * as shapes from './shapes.ts';

const { mismatch } = shapes;

describe('a shape', () => {
  it.each([
    [{ id: 'a', further: 1 }, { id: 'a' }],
    [
      [1, { a: 2 }],
      [1, { a: 2 }],
    ],
    [null, null],
    [{ a: null }, { a: shapes.nullable('x') }],
    [{}, { a: shapes.optional('x'), b: shapes.absent }],
    [{ at: '2026-02-03T04:05:06.789Z' }, { at: shapes.timestamp }],
    ['2026-02-03T04:05:06.789012Z', shapes.microTimestamp],
    [['b', 'a'], shapes.listWith('a')],
    [[], shapes.listOf('a')],
    [3, shapes.between(3, 4)],
    [{ a: 1 }, shapes.exactly({ a: shapes.integer })],
    ['con_12', shapes.matching(/^con_/)],
    [true, shapes.flag],
    ['x', shapes.oneOf('x', null)],
  ])('a shape fits: %j', (value, shape) => {
    expect(mismatch(value, shape, 'it')).toBeUndefined();
  });

  it.each([
    [{ a: { b: 2 } }, { a: { b: 1 } }, 'it.a.b is 2 instead of 1'],
    [{}, { a: 1 }, 'it.a is missing; expected 1'],
    [{}, { a: shapes.text }, 'it.a is nothing instead of a text'],
    [{}, { a: shapes.anything }, 'it.a is nothing instead of any value'],
    [{ a: 1 }, { a: shapes.absent }, 'it.a is 1 instead of no such field'],
    [[1], [1, 2], 'it has 1 entries instead of 2: [1]'],
    ['a', [1], 'it is "a" instead of a list'],
    [[], { a: 1 }, 'it is [] instead of an object'],
    [null, { a: 1 }, 'it is null instead of an object'],
    [1, '1', 'it is 1 instead of "1"'],
    [1.5, shapes.integer, 'it is 1.5 instead of an integer'],
    ['', shapes.someText, 'it is "" instead of a text that is not empty'],
    [
      '2026-02-03T04:05:06Z',
      shapes.timestamp,
      'it is "2026-02-03T04:05:06Z" instead of a time such as 2026-02-03T04:05:06.789Z',
    ],
    [
      '2026-13-03T04:05:06.789Z',
      shapes.timestamp,
      'it is "2026-13-03T04:05:06.789Z" instead of a time such as 2026-02-03T04:05:06.789Z',
    ],
    [[1, 'a'], shapes.listOf(shapes.integer), 'it[1] is "a" instead of an integer'],
    [['b'], shapes.listWith('a'), 'it is ["b"], without an entry like "a"'],
    [{ a: 1, b: 2 }, shapes.exactly({ a: 1 }), 'it has further fields: b'],
    [5, shapes.between(3, 4), 'it is 5 instead of 3 to 4'],
    ['z', shapes.oneOf('x', null), 'it is "z" instead of one of "x", null'],
    [undefined, 'a', 'it is undefined instead of "a"'],
  ])('a shape says what is wrong: %j', (value, shape, problem) => {
    expect(mismatch(value, shape, 'it')).toBe(problem);
  });

  it('a shape shows long values in part', () => {
    expect(mismatch('x'.repeat(5000), 'y', 'it')!.length).toBeLessThan(400);
  });
});
