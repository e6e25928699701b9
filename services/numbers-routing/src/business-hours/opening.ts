import { Temporal } from 'temporal-polyfill';
import {
  type BusinessHoursBreak,
  type BusinessHoursEntry,
  type Closure,
  minuteOfDay,
  type Schedule,
} from './business-hours.ts';

/** A week repeats itself: what does not change within these days does not change before the next closure. */
const DAYS_AHEAD = 8;

/** An instant in local time, and whether a schedule is open. */
export interface Opening {
  readonly open: boolean;
  /** The closure of this day. */
  readonly closure: Closure | null;
  /** The break in which the instant lies, on a day without a closure. */
  readonly currentBreak: BusinessHoursBreak | null;
  readonly today: BusinessHoursEntry;
  readonly local: Temporal.ZonedDateTime;
}

/**
 * Whether a schedule is open at an instant. Wall-clock time decides: an hour that the clocks skip is never open, an hour
 * they repeat is open twice.
 */
export function openingAt(schedule: Schedule, at: Date): Opening {
  const local = localTime(schedule.timezone, at);
  const today = entryOf(schedule.businessHours, local);
  const closure = closureOn(schedule, local.toPlainDate().toString());
  const minute = local.hour * 60 + local.minute;
  const contains = (from: string, to: string) => minuteOfDay(from) <= minute && minute < minuteOfDay(to);
  const isOpeningTime = today.open && !closure && contains(today.openingAt, today.closingAt);
  const currentBreak = (isOpeningTime && today.breaks?.find(({ from, to }) => contains(from, to))) || null;
  return { open: isOpeningTime && !currentBreak, closure, currentBreak, today, local };
}

/** The closure of a day, by its ISO date; the one that lasts longest where there are several. */
function closureOn({ closures = [] }: Schedule, date: string): Closure | null {
  const applying = closures.filter(({ from, to }) => from <= date && date <= to);
  return applying.reduce<Closure | null>((last, one) => (last && last.to >= one.to ? last : one), null);
}

/** When the answer of `openingAt` changes next; undefined when it never does. */
export function nextChange(schedule: Schedule, at: Date): Date | undefined {
  const { open, local } = openingAt(schedule, at);
  for (const firstDay of daysToSearch(schedule, local.toPlainDate())) {
    const changed = bordersFrom(schedule, firstDay)
      .filter((instant) => instant > at.getTime())
      .sort((a, b) => a - b)
      .find((instant) => openingAt(schedule, new Date(instant)).open !== open);
    if (changed !== undefined) return new Date(changed);
  }
  return undefined;
}

/** Today, the first day of every closure to come and the one after its last, in their order. */
function daysToSearch({ closures = [] }: Schedule, today: Temporal.PlainDate): readonly Temporal.PlainDate[] {
  const days = closures.flatMap(({ from, to }) => [
    Temporal.PlainDate.from(from),
    Temporal.PlainDate.from(to).add({ days: 1 }),
  ]);
  const later = days.filter((day) => Temporal.PlainDate.compare(day, today) > 0);
  return [today, ...later.sort((a, b) => Temporal.PlainDate.compare(a, b))];
}

/** All instants of a week at which a schedule may open or close. */
function bordersFrom({ businessHours, timezone }: Schedule, firstDay: Temporal.PlainDate): number[] {
  return Array.from({ length: DAYS_AHEAD }, (_, ahead) => firstDay.add({ days: ahead })).flatMap((date) => {
    const entry = businessHours[date.dayOfWeek - 1];
    if (!entry?.open) return [];
    const breaks = (entry.breaks ?? []).flatMap(({ from, to }) => [from, to]);
    // Midnight: a closure ends what is open on both sides of it.
    const times = new Set(['00:00', entry.openingAt, ...breaks, entry.closingAt]);
    return [...times].flatMap((time) => borders(date, time, timezone));
  });
}

/** A wall-clock time as instants: two where the clocks repeat it, and where they skip it both ends of the gap. */
function borders(date: Temporal.PlainDate, time: string, timezone: string): number[] {
  const wall =
    time === '24:00' ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(Temporal.PlainTime.from(time));
  const earlier = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(timezone, { disambiguation: 'later' });
  const shift = earlier.getTimeZoneTransition('next');
  const instants = [earlier.epochMilliseconds, later.epochMilliseconds];
  // A daylight saving change itself can open or close: at the end of a skipped hour, or when an hour is repeated.
  return shift && shift.epochMilliseconds - earlier.epochMilliseconds < 86_400_000
    ? [...instants, shift.epochMilliseconds]
    : instants;
}

/** ISO 8601 with the zone's offset, for people. */
export function localTimeText(opening: Opening): string {
  return opening.local.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
}

function localTime(timezone: string, at: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
}

function entryOf(hours: readonly BusinessHoursEntry[], local: Temporal.ZonedDateTime): BusinessHoursEntry {
  const entry = hours[local.dayOfWeek - 1];
  if (!entry) throw new Error('business hours without seven days');
  return entry;
}
