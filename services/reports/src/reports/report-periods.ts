import { datesFrom, monthBounds, monthOf } from '../totals/local-time.ts';
import type { Period } from '../totals/total-store.ts';

/** A total that is added or subtracted. */
export interface SignedPeriod extends Period {
  readonly sign: 1 | -1;
}

/**
 * The fewest totals that make up a time: whole months, and at its ends single days, or the month without the days that
 * do not belong to it.
 */
export function reportPeriods(from: string, to: string): SignedPeriod[] {
  const months = Map.groupBy(datesFrom(from, to), monthOf);
  return [...months].flatMap(([period, inside]) => {
    const month: SignedPeriod = { unit: 'month', period, sign: 1 };
    const days = (dates: readonly string[], sign: 1 | -1) =>
      dates.map((date): SignedPeriod => ({ unit: 'day', period: date, sign }));
    const included = new Set(inside);
    const outside = datesFrom(...monthBounds(period)).filter((date) => !included.has(date));
    return outside.length < inside.length ? [month, ...days(outside, -1)] : days(inside, 1);
  });
}
