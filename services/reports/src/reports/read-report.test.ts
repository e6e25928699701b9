import { expect, it } from '@jest/globals';
import { datesFrom, monthBounds } from '../totals/local-time.ts';
import { reportPeriods } from './read-report.ts';

it.each([
  ['2026-11-16', '2026-11-16', 1],
  ['2026-11-01', '2026-11-30', 1],
  ['2026-11-02', '2026-11-30', 29],
  ['2025-10-16', '2026-11-14', 42],
  ['2025-10-02', '2026-10-30', 71],
  ['2026-01-20', '2026-02-10', 22],
])('a period from %s to %s is composed of %d totals that are exactly these days', (from, to, count) => {
  const periods = reportPeriods(from, to);
  expect(periods).toHaveLength(count);
  const days = periods.flatMap(({ unit, period }) => (unit === 'day' ? [period] : datesFrom(...monthBounds(period))));
  expect(days).toEqual(datesFrom(from, to));
});
