import { describe, expect, it } from '@jest/globals';
import { calculateHolidays } from './calculate-holidays.ts';

describe('public holidays', () => {
  it('public holidays of Denmark have the movable ones of their year', () => {
    const dates = calculateHolidays('DK', 2026)?.map(({ date }) => date);
    expect(dates).toEqual(
      expect.arrayContaining(['2026-01-01', '2026-04-02', '2026-04-03', '2026-04-06', '2026-12-25']),
    );
    expect(dates).toEqual(dates?.toSorted());
  });

  it('public holidays leave out days that are only observed', () => {
    const names = calculateHolidays('US', 2026)?.map(({ name }) => name) ?? [];
    expect(names).toContain('Thanksgiving Day');
    expect(names).not.toContain("Valentine's Day");
  });

  it('public holidays of several days are listed day by day', () => {
    const days = calculateHolidays('TR', 2026)?.map(({ date }) => date) ?? [];
    // The feast of the sacrifice in 2026: 27 to 30 May.
    expect(days).toEqual(expect.arrayContaining(['2026-05-27', '2026-05-28', '2026-05-29', '2026-05-30']));
    expect(days.every((date) => date.startsWith('2026-'))).toBe(true);
  });

  it.each(['XX', 'dk', 'constructor', ''])('public holidays of %j are not known', (country) => {
    expect(calculateHolidays(country, 2026)).toBeUndefined();
  });
});
