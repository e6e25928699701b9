import { describe, expect, it } from '@jest/globals';
import { parseMicros } from './inbox-time.ts';

const HALF_PAST_TEN = BigInt(Date.parse('2026-03-01T10:30:00Z')) * 1000n;

describe('a time of a client', () => {
  it.each([
    ['2026-03-01T10:30:00.000000Z', 0n],
    ['2026-03-01T10:30:00.123456Z', 123_456n],
    ['2026-03-01T10:30:00.1234569Z', 123_456n],
    ['2026-03-01T10:30:00.5Z', 500_000n],
    ['2026-03-01T10:30:00,5Z', 500_000n],
    ['2026-03-01T10:30:00Z', 0n],
    ['2026-03-01T10:30Z', 0n],
    ['2026-03-01t10:30:00z', 0n],
    ['2026-03-01T12:30:00+02:00', 0n],
    ['2026-03-01T12:30:00+0200', 0n],
    ['2026-03-01T12:30:00+02', 0n],
    ['2026-03-01T05:00:00-05:30', 0n],
    ['20260301T103000Z', 0n],
    ['20260301T103000.000001Z', 1n],
    ['20260301T1230+0200', 0n],
  ])('the time %s is exact to the microsecond', (text, micros) => {
    expect(parseMicros(text)).toBe(HALF_PAST_TEN + micros);
  });

  it.each([
    ['without a time zone', '2026-03-01T10:30:00'],
    ['without a time', '2026-03-01'],
    ['of 30 February', '2026-02-30T10:30:00Z'],
    ['of 29 February in another year', '2026-02-29T10:30:00Z'],
    ['of the 13th month', '2026-13-01T10:30:00Z'],
    ['of the 25th hour', '2026-03-01T25:30:00Z'],
    ['in a zone that does not exist', '2026-03-01T10:30:00+99:00'],
    ['in a mixture of both formats', '2026-0301T10:30:00Z'],
    ['with something after it', '2026-03-01T10:30:00Zx'],
    ['with a space before it', ' 2026-03-01T10:30:00Z'],
    ['in words', 'yesterday'],
    ['in seconds since 1970', '1767225600'],
  ])('a time %s is no time of a client', (_what, text) => {
    expect(parseMicros(text)).toBeUndefined();
  });
});
