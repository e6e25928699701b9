import { datesFrom, monthBounds, monthOf } from '../totals/local-time.ts';
import type { Period } from '../totals/total-store.ts';

/**
 * The totals that make up a time: whole months, and single days at its ends. They are only added: a month is made after
 * its days, so a day that is subtracted from its month might have changes that the month has not.
 */
export function reportPeriods(from: string, to: string): Period[] {
  const months = Map.groupBy(datesFrom(from, to), monthOf);
  return [...months].flatMap(([month, dates]): Period[] => {
    const isWhole = dates.length === datesFrom(...monthBounds(month)).length;
    return isWhole ? [{ unit: 'month', period: month }] : dates.map((period) => ({ unit: 'day', period }));
  });
}
