import { describe, expect, it } from '@jest/globals';
import { daysIn, lastDays, periodBefore, periodOf, usualDays } from './report-period.ts';

const timezone = 'Europe/Copenhagen';
const NOW = new Date('2026-11-16T22:30:00Z');

const of = (from: string, to: string) => periodOf(from, to, timezone, NOW);

describe('the period of a report', () => {
  it('the period of a report is the last 30 days unless an address asks for others', () => {
    expect(of('', '')).toEqual({ from: '2026-10-18', to: '2026-11-16', timezone });
    expect(of('2026-02-30', '2026-03-02')).toEqual(lastDays(30, timezone, NOW));
    expect(of('2026-03-01', '2026-03-02')).toEqual({ from: '2026-03-01', to: '2026-03-02', timezone });
  });

  it.each([
    ['America/Los_Angeles', '2026-11-16'],
    [timezone, '2026-11-17'],
    ['Pacific/Kiritimati', '2026-11-17'],
  ])('the period of a report ends today in its time zone: in %s on %s', (zone, today) => {
    expect(lastDays(1, zone, new Date('2026-11-16T23:30:00Z'))).toEqual({ from: today, to: today, timezone: zone });
  });

  it('the period of a report has its days in their order and no more than the API reports', () => {
    expect(of('2026-03-02', '2026-03-01')).toEqual({ from: '2026-03-01', to: '2026-03-02', timezone });
    expect(daysIn(of('2020-01-01', '2026-03-01'))).toBe(400);
  });

  it('the period of a report is compared with as many days right before it', () => {
    expect(periodBefore(of('2026-03-01', '2026-03-07'))).toEqual(of('2026-02-22', '2026-02-28'));
    expect(periodBefore(of('2026-11-16', '2026-11-16'))).toEqual(of('2026-11-15', '2026-11-15'));
  });

  it('the period of a report has a name if it is a usual one', () => {
    expect(usualDays(lastDays(7, timezone, NOW), NOW)).toBe(7);
    expect(usualDays(of('2026-03-01', '2026-03-07'), NOW)).toBeUndefined();
  });
});
