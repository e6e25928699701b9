import type { PhoneNumber } from '@parley/phone-numbers';
import type { Temporal } from 'temporal-polyfill';
import { type Language } from '../../words/languages.ts';
import { languageOf, sentencesOf } from '../words/vocabularies.ts';

/** Days within a week are said by their name alone. */
const DAYS_BY_NAME = 7;
const OWN_DIGITS_SAID = 2;

/** A time of day, as minutes since midnight, as it is said: "9 AM", "17.30", "17:30 Uhr". */
export function spokenTime(minutes: number, language: string): string {
  const hour = Math.floor(minutes / 60);
  const minute = String(minutes % 60).padStart(2, '0');
  return TIMES[languageOf(language)](hour, minute);
}

const TIMES: Readonly<Record<Language, (hour: number, minute: string) => string>> = {
  en(hour, minute) {
    if (minute === '00' && hour % 24 === 0) return 'midnight';
    if (minute === '00' && hour === 12) return 'noon';
    return `${hour % 12 === 0 ? 12 : hour % 12}${minute === '00' ? '' : `:${minute}`} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
  },
  da: (hour, minute) => (minute === '00' ? String(hour) : `${hour}:${minute}`),
  de: (hour, minute) => (minute === '00' ? `${hour} Uhr` : `${hour}:${minute} Uhr`),
};

/** A day as an answer to "when": "today", "on Friday", "on Thursday, the 14th of May". */
export function spokenDay(
  date: Temporal.PlainDate,
  today: Temporal.PlainDate,
  language: string,
  withDate = false,
): string {
  const { parts } = sentencesOf(language);
  const ahead = today.until(date).days;
  if (!withDate && ahead === 0) return parts.today;
  if (!withDate && ahead === 1) return parts.tomorrow;
  if (!withDate && ahead > 0 && ahead < DAYS_BY_NAME) return parts.onWeekdays[date.dayOfWeek - 1]!;
  return parts.onDate
    .replace('{weekday}', parts.weekdays[date.dayOfWeek - 1]!)
    .replace('{day}', dayOfMonth(date.day, language))
    .replace('{month}', parts.months[date.month - 1]!);
}

/** The first and the last day of some. */
export function spokenDays(from: Temporal.PlainDate, to: Temporal.PlainDate, language: string): string {
  const { parts } = sentencesOf(language);
  const day = (date: Temporal.PlainDate) =>
    parts.date.replace('{day}', dayOfMonth(date.day, language)).replace('{month}', parts.months[date.month - 1]!);
  return parts.datesFromTo.replace('{from}', day(from)).replace('{to}', day(to));
}

function dayOfMonth(day: number, language: string): string {
  if (languageOf(language) !== 'en') return `${day}.`;
  const teens = day > 10 && day < 14;
  return `${day}${teens ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th')}`;
}

/** "A, B and C". */
export function spokenList(items: readonly string[], joint: string): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`;
}

/** A phone number digit by digit, in its groups; of another country with its code. */
export function spokenNumber({ national, formatted, number }: PhoneNumber, isForeign: boolean): string {
  const groups = (isForeign ? formatted : national).replace('+', '').split(/\D+/).filter(Boolean);
  // A number without groups of its own is said in pairs.
  const parts = groups.length > 1 ? groups : (groups[0] ?? number).match(/\d{1,2}/g)!;
  return `${isForeign ? '+ ' : ''}${parts.map((group) => [...group].join(' ')).join(', ')}`;
}

/** The only digits of the caller's own number that are said. */
export function lastDigits(number: string): string {
  return spokenDigits(number.replaceAll(/\D/g, '').slice(-OWN_DIGITS_SAID));
}

/** A short number, digit by digit. */
export function spokenDigits(number: string): string {
  return [...number].join(' ');
}
