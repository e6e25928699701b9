import { describe, expect, it } from '@jest/globals';
import { byteRange } from './byte-range.ts';

describe('a Range header', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['bytes=0-', { start: 0, end: 100 }],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=10-19', { start: 10, end: 20 }],
    ['bytes=90-200', { start: 90, end: 100 }],
    ['bytes=99-', { start: 99, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-1000', { start: 0, end: 100 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', undefined],
    ['bytes=-', undefined],
    ['bytes=0-9,20-29', undefined],
    ['bytes=a-b', undefined],
    ['chars=0-9', undefined],
  ])('the Range header %j of a hundred bytes is %j', (header, range) => {
    expect(byteRange(header, 100)).toEqual(range);
  });
});
