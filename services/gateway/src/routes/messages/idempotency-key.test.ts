import { describe, expect, it } from '@jest/globals';
import { idempotencyKeyOf } from './idempotency-key.ts';

describe('the idempotency key of a request', () => {
  it.each([
    ['a', undefined, 'a'],
    [undefined, 'a', 'a'],
    ['a', 'a', 'a'],
    ['a', null, 'a'],
    ['a', 'b', ''],
    ['a', '', ''],
    [undefined, undefined, ''],
    [undefined, 7, ''],
    ['a', { key: 'a' }, ''],
  ])('the idempotency key of a request with header %j and body %j is %j', (header, body, key) => {
    expect(idempotencyKeyOf(header, body)).toBe(key);
  });
});
