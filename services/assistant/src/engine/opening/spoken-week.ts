import { type BusinessHoursEntry, minuteOfDay } from '@parley/opening-hours';
import { spokenList, spokenTime } from '../speaking/spoken-figures.ts';
import { sentencesOf } from '../words/vocabularies.ts';

/** Days in a row that are alike. */
interface Days {
  readonly from: number;
  readonly to: number;
  readonly hours: string;
}

/** Every day, around the clock. */
export function isAlwaysOpen(hours: readonly BusinessHoursEntry[]): boolean {
  return hours.every(({ open, openingAt, closingAt }) => open && openingAt === '00:00' && closingAt === '24:00');
}

/** The opening time of each day of the week, breaks not counted: "Monday to Friday from 9 AM to 5 PM and Saturday from …"; undefined where none is open. */
export function spokenWeek(hours: readonly BusinessHoursEntry[], language: string): string | undefined {
  const open = hours.filter((day) => day.open);
  if (open.length === 0) return undefined;
  const { parts } = sentencesOf(language);
  const groups = daysAlike(hours, (day) => (day.open ? span(day.openingAt, day.closingAt, language) : undefined));
  return spokenList(
    groups.map((group) => `${daysText(group, language)} ${group.hours}`),
    parts.and,
  );
}

/** Breaks of the week; of a single day without its name. Undefined where there are none. */
export function spokenBreaks(hours: readonly BusinessHoursEntry[], language: string): string | undefined {
  const { parts } = sentencesOf(language);
  const breaksOf = ({ open, breaks = [] }: BusinessHoursEntry) =>
    open && breaks.length > 0
      ? spokenList(
          breaks.map(({ from, to }) => span(from, to, language)),
          parts.and,
        )
      : undefined;
  const groups = daysAlike(hours, breaksOf);
  const [first] = groups;
  if (!first) return undefined;
  const always = hours.filter(({ open }) => open).every((day) => breaksOf(day) === first.hours);
  if (always) return first.hours;
  return spokenList(
    groups.map((group) => `${daysText(group, language)} ${group.hours}`),
    parts.and,
  );
}

function span(from: string, to: string, language: string): string {
  const { fromTo } = sentencesOf(language).parts;
  return fromTo
    .replace('{from}', spokenTime(minuteOfDay(from), language))
    .replace('{to}', spokenTime(minuteOfDay(to), language));
}

function daysAlike(
  hours: readonly BusinessHoursEntry[],
  hoursOf: (day: BusinessHoursEntry) => string | undefined,
): Days[] {
  const groups: Days[] = [];
  for (const day of hours) {
    const text = hoursOf(day);
    const last = groups.at(-1);
    if (text === undefined) continue;
    if (last?.hours === text && last.to === day.dayOfWeek - 1)
      groups[groups.length - 1] = { ...last, to: day.dayOfWeek };
    else groups.push({ from: day.dayOfWeek, to: day.dayOfWeek, hours: text });
  }
  return groups;
}

function daysText({ from, to }: Days, language: string): string {
  const { parts } = sentencesOf(language);
  const [first, last] = [parts.weekdays[from]!, parts.weekdays[to]!];
  if (from === to) return first;
  if (to === from + 1) return `${first} ${parts.and} ${last}`;
  return parts.daysFromTo.replace('{from}', first).replace('{to}', last);
}
