import { describe, expect, it } from '@jest/globals';
import { nextCursorOf } from './next-page.ts';

describe('the cursor of the next page', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['</api/v1/contacts?limit=50&cursor=eyJ9.a%2Bb>; rel="next"', 'eyJ9.a+b'],
    ['</api/v1/contacts?limit=50&cursor=x>; rel="prev"', undefined],
    ['</api/v1/contacts>; rel="next"', undefined],
  ])('the cursor of the next page in %s is %s', (link, cursor) => {
    expect(nextCursorOf(link)).toBe(cursor);
  });
});
