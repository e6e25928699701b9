import { describe, expect, it } from '@jest/globals';
import { nextAttempt } from './schedule.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const waitSecs = (attemptsMade: number, retryAfter: string | null = null, random = 0) => {
  const due = nextAttempt(attemptsMade, retryAfter, now, random);
  if (due) expect(due.at.getTime() - now.getTime()).toBe(due.waitMs);
  return due && due.waitMs / 1000;
};

describe('nextAttempt', () => {
  it.each([
    [1, 5],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 18_000],
    [6, null],
    [7, null],
  ])('after %i failed attempts waits %s s', (attemptsMade, secs) => {
    expect(waitSecs(attemptsMade)).toBe(secs);
  });

  it('stretches a wait by up to a tenth', () => {
    expect([0, 0.5, 1].map((random) => waitSecs(2, null, random))).toEqual([300, 315, 330]);
  });

  it.each([
    ['120', 120],
    [' 120 ', 120],
    ['1', 5],
    ['0', 5],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120],
    ['Sun Mar  1 12:02:00 2026', 120],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 5],
    ['Fri, 01 Mar 2999 12:00:00 GMT', 86_400],
    ['-1', 5],
    ['1.5', 5],
    ['1e9', 5],
    ['soon', 5],
    ['Sunday', 5],
    ['2026-03-01T13:00:00Z', 5],
    ['', 5],
  ])('with Retry-After %j waits %i s after the first failure', (retryAfter, secs) => {
    expect(waitSecs(1, retryAfter)).toBe(secs);
  });

  it('nextAttempt makes no seventh attempt, whatever the receiver’s Retry-After', () => {
    expect(waitSecs(6, '60')).toBeNull();
  });
});
