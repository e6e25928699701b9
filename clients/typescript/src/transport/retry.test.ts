import { describe, expect, it } from '@jest/globals';
import { type Failure, retryAfterSecsOf, retryDelayMs } from './retry.ts';

const response = (status: number, retryAfterSecs?: number): Failure => ({ kind: 'response', status, retryAfterSecs });
const none = (sent: boolean): Failure => ({ kind: 'no response', sent });
const delay = (failure: Failure, repeatable: boolean, retries = 0) =>
  retryDelayMs(failure, { repeatable, retries, random: () => 0.5 });

describe('a retry', () => {
  it.each([
    [response(429), 500],
    [response(502), 500],
    [response(503), 500],
    [response(504), 500],
    [none(true), 500],
    [none(false), 500],
    [response(500), undefined],
    [response(404), undefined],
    [response(301), undefined],
    [response(429, 7), 7000],
    [response(503, 60), 60_000],
    [response(503, 61), undefined],
    [response(429, 1e9), undefined],
    [response(503, 0), 0],
  ])('a retry of a request that may be repeated, after %j, waits %j ms', (failure, expected) => {
    expect(delay(failure, true)).toBe(expected);
  });

  it.each([
    [response(429), 500],
    [response(429, 2), 2000],
    [response(503, 1), 1000],
    [response(503), undefined],
    [response(502, 1), undefined],
    [response(504), undefined],
    [none(true), undefined],
    [none(false), 500],
  ])('a retry of a request that must not be executed twice, after %j, waits %j ms', (failure, expected) => {
    expect(delay(failure, false)).toBe(expected);
  });

  it('a retry waits twice as long as the one before, up to eight seconds, and a fifth more or less', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map((retries) => delay(none(true), true, retries))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
    const at = (random: number) => retryDelayMs(none(true), { repeatable: true, retries: 0, random: () => random })!;
    expect([at(0), at(1)]).toEqual([400, 600]);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['1e9', 1e9],
    [' 5 ', 5],
    ['1.5', 1.5],
    ['-3', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    ['Thu, 01 Jan 1970 00:01:40 GMT', 90],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['Thu, 99 Nonsense', undefined],
  ])('a retry reads Retry-After %j as %j seconds', (value, expected) => {
    expect(retryAfterSecsOf(value, 10_000)).toBe(expected);
  });
});
