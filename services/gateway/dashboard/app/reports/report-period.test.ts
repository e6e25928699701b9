import { describe, expect, it } from '@jest/globals';
import { daysIn, lastDays, periodBefore, periodOf, usualDays } from './report-period.ts';

const NOW = new Date(2026, 10, 16, 23, 30);

describe('the period of a report', () => {
  it('is the last 30 days unless an address asks for others', () => {
    expect(periodOf('', '', NOW)).toEqual({ from: '2026-10-18', to: '2026-11-16' });
    expect(periodOf('2026-02-30', '2026-03-02', NOW)).toEqual(lastDays(30, NOW));
    expect(periodOf('2026-03-01', '2026-03-02', NOW)).toEqual({ from: '2026-03-01', to: '2026-03-02' });
  });

  it('has its days in their order and no more than the API reports', () => {
    expect(periodOf('2026-03-02', '2026-03-01', NOW)).toEqual({ from: '2026-03-01', to: '2026-03-02' });
    expect(daysIn(periodOf('2020-01-01', '2026-03-01', NOW))).toBe(400);
  });

  it('is compared with as many days right before it', () => {
    expect(periodBefore({ from: '2026-03-01', to: '2026-03-07' })).toEqual({ from: '2026-02-22', to: '2026-02-28' });
    expect(periodBefore({ from: '2026-11-16', to: '2026-11-16' })).toEqual({ from: '2026-11-15', to: '2026-11-15' });
  });

  it('has a name if it is a usual one', () => {
    expect(usualDays(lastDays(7, NOW), NOW)).toBe(7);
    expect(usualDays({ from: '2026-03-01', to: '2026-03-07' }, NOW)).toBeUndefined();
  });
});
