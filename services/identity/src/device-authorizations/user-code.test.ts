import { describe, expect, it } from '@jest/globals';
import { newUserCode, readUserCode } from './user-code.ts';

describe('a user code', () => {
  it('a user code is eight letters of its alphabet, and never the same', () => {
    const codes = Array.from({ length: 1000 }, newUserCode);
    expect(codes.filter((code) => !/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(1000);
    expect(new Set(codes.join('')).size).toBe(21);
  });

  it.each(['WDJB-MJHT', 'wdjb-mjht', 'WdJbMjHt', ' WDJB MJHT ', 'WDJB - MJHT'])(
    'a user code is read from %j as it was shown',
    (typed) => expect(readUserCode(typed)).toBe('WDJB-MJHT'),
  );

  it.each([
    '',
    'WDJB-MJH',
    'WDJB-MJHTT',
    'WDJB-MJHA',
    'WDJB-MJH1',
    'WD-JBMJHT',
    'WDJB_MJHT',
    'WDJB\u2013MJHT',
    'WDJBMJH\u017f',
    'WDJBMJH\u00df',
    '{"$ne":null}',
    'x'.repeat(100_000),
    `WDJB${' '.repeat(100_000)}`,
  ])('a user code is not read from %#', (typed) => expect(readUserCode(typed)).toBeUndefined());
});
