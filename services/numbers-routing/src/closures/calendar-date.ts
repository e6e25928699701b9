import { Temporal } from 'temporal-polyfill';

export const YEAR_MIN = 2000;
export const YEAR_MAX = 2100;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Accepts YYYY-MM-DD where the day exists. */
export function isCalendarDate(text: string): boolean {
  if (!ISO_DATE.test(text)) return false;
  try {
    const { year } = Temporal.PlainDate.from(text);
    return year >= YEAR_MIN && year <= YEAR_MAX;
  } catch {
    return false;
  }
}
