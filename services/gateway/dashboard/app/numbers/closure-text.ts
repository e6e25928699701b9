import type { Closure } from '../api/schema.d.ts';
import { calendarDate } from '../i18n/format.ts';

/** `24 December 2026`, or the first and the last day. */
export function closureDays({ from, to }: Pick<Closure, 'from' | 'to'>): string {
  return from === to ? calendarDate(from) : `${calendarDate(from)} – ${calendarDate(to)}`;
}

/** The holidays that are not closed days yet, from a date on; dates are texts in the order of time. */
export function missingHolidays<Holiday extends { readonly date: string }>(
  holidays: readonly Holiday[],
  known: readonly Pick<Closure, 'from' | 'to'>[],
  today: string,
): readonly Holiday[] {
  return holidays.filter(({ date }) => date >= today && !known.some(({ from, to }) => from <= date && date <= to));
}
