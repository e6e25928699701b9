import { describe, expect, it } from '@jest/globals';
import { instantIn, wallClockIn } from './zoned-time.ts';

const COPENHAGEN = 'Europe/Copenhagen';

describe('a wall-clock time in a time zone', () => {
  it.each([
    [COPENHAGEN, '2026-01-15T09:00', '2026-01-15T08:00:00.000Z'],
    [COPENHAGEN, '2026-07-15T09:00', '2026-07-15T07:00:00.000Z'],
    [COPENHAGEN, '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    [COPENHAGEN, '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    [COPENHAGEN, '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    ['America/Los_Angeles', '2026-12-31T23:30', '2027-01-01T07:30:00.000Z'],
    ['Asia/Kathmandu', '2026-05-01T00:00', '2026-04-30T18:15:00.000Z'],
  ])('a wall-clock time in %s, %s, is %s', (timeZone, wallClock, instant) => {
    expect(instantIn(timeZone, wallClock)?.toISOString()).toBe(instant);
    expect(wallClockIn(timeZone, new Date(instant))).toBe(wallClock);
  });

  it.each(['', 'now', '2026-02', '2026-13-01T00:00'])('a wall-clock time in a time zone is not %j', (typed) => {
    expect(instantIn(COPENHAGEN, typed)).toBeUndefined();
  });
});
