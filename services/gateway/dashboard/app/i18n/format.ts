import { locale } from './locale.ts';
import { t } from './translate.ts';

/** Everything that people read as a time, a date, a length or an amount has its form from here. */

const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const timeWithSeconds = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
const shortDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const shortDateWithYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const longDate = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const longDateWithYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
const full = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const shortWeekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const count = new Intl.NumberFormat(locale);
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const languageNames = new Intl.DisplayNames(locale, { type: 'language' });
const regionNames = new Intl.DisplayNames(locale, { type: 'region' });

/** 11:52 */
export const timeOfDay = (at: Date): string => time.format(at);

/** 11:52:07 */
export const exactTime = (at: Date): string => timeWithSeconds.format(at);

/** Monday 2 November 2026, 11:52: for a tooltip. */
export const fullTime = (at: Date): string => full.format(at);

/** 1,482 */
export const number = (value: number): string => count.format(value);

/** 91.4 % of 0.914 */
export const percent = (value: number): string => share.format(value);

/** 2.1 of 2.13 */
export const oneDecimal = (value: number): string => decimal.format(value);

/** €1.25 of a decimal number; a currency that is unknown stays as it is. */
export function amount(decimal: string, currency: string): string {
  try {
    const money = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 });
    return money.format(Number(decimal));
  } catch {
    return `${decimal} ${currency}`;
  }
}

/** Today as the time, then Yesterday, the weekday, the date. */
export function shortTime(at: Date, now = new Date()): string {
  const days = daysBetween(at, now);
  if (days === 0) return timeOfDay(at);
  if (days === 1) return t('Yesterday');
  if (days > 1 && days < 7) return weekday.format(at);
  return at.getFullYear() === now.getFullYear() ? shortDate.format(at) : shortDateWithYear.format(at);
}

/** 13 Nov, 10:42; today only 10:42. */
export function dateAndTime(at: Date, now = new Date()): string {
  return daysBetween(at, now) === 0 ? timeOfDay(at) : `${shortTime(at, now)}, ${timeOfDay(at)}`;
}

/** The heading of a day: Today, Yesterday, Friday 13 November. */
export function dayHeading(at: Date, now = new Date()): string {
  const days = daysBetween(at, now);
  if (days === 0) return t('Today');
  if (days === 1) return t('Yesterday');
  return at.getFullYear() === now.getFullYear() ? longDate.format(at) : longDateWithYear.format(at);
}

/** The time since something happened in its shortest form: 36 min, 3 h, 2 d. */
export function elapsed(at: Date, now = new Date()): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 1) return t('now');
  if (minutes < 60) return t('{count} min', { count: minutes });
  if (minutes < 24 * 60) return t('{count} h', { count: Math.floor(minutes / 60) });
  return t('{count} d', { count: Math.floor(minutes / (24 * 60)) });
}

/** 24 Dec 2026 of `2026-12-24`, a day without a time zone. */
export const calendarDate = (date: string): string => shortDateWithYear.format(dayOf(date));

/** 24 Dec of `2026-12-24`. */
export const shortDay = (date: string): string => shortDate.format(dayOf(date));

/** Thursday 24 December of `2026-12-24`. */
export const longDay = (date: string): string => longDate.format(dayOf(date));

function dayOf(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** The name of a day of the week; 0 is Monday. */
export const weekdayName = (day: number): string => weekday.format(new Date(2024, 0, 1 + day));

/** The same, short: Mon. */
export const shortWeekdayName = (day: number): string => shortWeekday.format(new Date(2024, 0, 1 + day));

/** The same text for all instants of one day of the reader's time zone. */
export const dayKey = (at: Date): string => `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;

/** Days of the calendar, not periods of 24 hours; negative in the future. */
function daysBetween(at: Date, now: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((midnight(now) - midnight(at)) / 86_400_000);
}

/** The name of a language by its code; what is no code stays as it is. */
export function languageName(code: string): string {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The name of a country by its code. */
export const countryName = (code: string): string => regionNames.of(code) ?? code;

/** Ada, Bo and Karla */
export const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);

/** For the beginning of a sentence or of a line. */
export const capitalised = (words: string): string => words.charAt(0).toLocaleUpperCase() + words.slice(1);
