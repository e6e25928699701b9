import { describe, expect, it } from '@jest/globals';
import { isoMicros, isoMillis } from './value-json.ts';

describe('a time in microseconds', () => {
  it.each([
    [1_772_366_400_123_456n, '2026-03-01T12:00:00.123456Z', '2026-03-01T12:00:00.123Z'],
    [1_772_366_400_000_007n, '2026-03-01T12:00:00.000007Z', '2026-03-01T12:00:00.000Z'],
    [1_772_366_400_999_999n, '2026-03-01T12:00:00.999999Z', '2026-03-01T12:00:00.999Z'],
  ])('the time %s is written with six digits or with three', (micros, six, three) => {
    expect(isoMicros(micros)).toBe(six);
    expect(isoMillis(micros)).toBe(three);
  });
});
