import { describe, expect, it } from '@jest/globals';
import { datesFrom, dayBounds, hoursOf, hourText, knownZone, localTime, monthBounds, weekdayOf } from './local-time.ts';

const at = (text: string) => Date.parse(text);

describe('local time', () => {
  it.each([
    ['Europe/Copenhagen', '2026-10-24T22:30:00Z', '2026-10-25', 0, 120],
    ['Europe/Copenhagen', '2026-10-25T00:30:00Z', '2026-10-25', 2, 120],
    ['Europe/Copenhagen', '2026-10-25T01:30:00Z', '2026-10-25', 2, 60],
    ['Asia/Kolkata', '2026-06-01T18:29:59Z', '2026-06-01', 23, 330],
    ['Asia/Kolkata', '2026-06-01T18:30:00Z', '2026-06-02', 0, 330],
    ['Asia/Kathmandu', '2026-06-01T18:14:00Z', '2026-06-01', 23, 345],
    ['Asia/Kathmandu', '2026-06-01T18:15:00Z', '2026-06-02', 0, 345],
    ['America/St_Johns', '2026-01-01T03:29:00Z', '2025-12-31', 23, -210],
  ])('the local time in %s at %s is known', (zone, instant, date, hour, offsetMinutes) => {
    expect(localTime(zone, at(instant))).toEqual({ date, hour, offsetMinutes });
  });

  it('local time has a day of 25 hours where the clocks go back, and of 23 where they go forward', () => {
    const back = hoursOf('Europe/Copenhagen', '2026-10-25').map((hour) => hourText('2026-10-25', hour));
    expect(back).toHaveLength(25);
    expect(back.slice(1, 5)).toEqual([
      '2026-10-25T01:00:00+02:00',
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ]);
    const forward = hoursOf('America/New_York', '2026-03-08').map((hour) => hourText('2026-03-08', hour));
    expect(forward).toHaveLength(23);
    expect(forward.slice(1, 3)).toEqual(['2026-03-08T01:00:00-05:00', '2026-03-08T03:00:00-04:00']);
  });

  it('local time has a day that begins at one o’clock where the clocks change at midnight', () => {
    const [start, end] = dayBounds('America/Havana', '2026-03-08');
    expect((end - start) / 3_600_000).toBe(23);
    expect(hoursOf('America/Havana', '2026-03-08')[0]?.hour).toBe(1);
  });

  it('local time has a half hour where the clocks change by thirty minutes', () => {
    const hours = hoursOf('Australia/Lord_Howe', '2026-04-05');
    expect(hours.slice(1, 3)).toEqual([
      { hour: 1, offsetMinutes: 660 },
      { hour: 1, offsetMinutes: 630 },
    ]);
  });
});

describe('dates', () => {
  it('dates are counted over the end of a year', () => {
    expect(datesFrom('2025-12-30', '2026-01-02')).toEqual(['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02']);
    expect(datesFrom('2026-01-02', '2026-01-01')).toEqual([]);
    expect(monthBounds('2028-02')).toEqual(['2028-02-01', '2028-02-29']);
    expect(weekdayOf('2026-11-16')).toBe(0);
  });
});

describe('a time zone', () => {
  it('a time zone has a canonical name, or is none', () => {
    expect(knownZone('europe/copenhagen')).toBe('Europe/Copenhagen');
    expect(knownZone('UTC')).toBe('UTC');
    for (const name of ['Mars/Olympus', '+01:00', '', 'Europe/Copenhagen; drop', '__proto__'])
      expect(knownZone(name)).toBeUndefined();
  });
});
