import { Temporal } from 'temporal-polyfill';
import {
  type BusinessHoursBreak,
  type BusinessHoursEntry,
  type Closure,
  minuteOfDay,
  type Schedule,
} from './business-hours.ts';

/**
 * A week repeats itself: what does not change within these days does not change before the next closure. Two weeks,
 * because the only opening time of one week can lie in an hour that the clocks skip.
 */
const DAYS_AHEAD = 15;

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

/** Wall-clock time decides: an hour that the clocks skip is never open, an hour they repeat is open twice. */
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
export function closureOn({ closures }: Schedule, date: string): Closure | null {
  const applying = closures.filter(({ from, to }) => from <= date && date <= to);
  return applying.reduce<Closure | null>((last, one) => (last && last.to >= one.to ? last : one), null);
}

/** Days without a closure, in a row; `to` is null where no closure follows. */
interface ClosureFreeDays {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate | null;
}

/** When the answer of `openingAt` changes next; undefined when it never does. `openingOf` is there for tests to count. */
export function nextChange(schedule: Schedule, at: Date, openingOf = openingAt): Date | undefined {
  const { open, local } = openingOf(schedule, at);
  for (const days of closureFreeDays(schedule, local.toPlainDate())) {
    const changed = [...new Set(bordersOf(schedule, days, open))]
      .filter((instant) => instant > at.getTime())
      .sort((a, b) => a - b)
      .find((instant) => openingOf(schedule, new Date(instant)).open !== open);
    if (changed !== undefined) return new Date(changed);
  }
  return undefined;
}

/** The days from today on that no closure covers, in their order. Closures may overlap. */
function* closureFreeDays({ closures }: Schedule, today: Temporal.PlainDate): Generator<ClosureFreeDays> {
  let from = today;
  for (const closure of closures.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const first = Temporal.PlainDate.from(closure.from);
    const after = Temporal.PlainDate.from(closure.to).add({ days: 1 });
    if (Temporal.PlainDate.compare(from, first) < 0) yield { from, to: first.subtract({ days: 1 }) };
    if (Temporal.PlainDate.compare(from, after) < 0) from = after;
  }
  yield { from, to: null };
}

/**
 * All instants at which a schedule may open or close on the first of these days, and the beginning of the next closure,
 * which can only close. Days that are never open have no borders: where the line is closed, nearly every day that has
 * some is one on which it opens, so that few are looked at.
 */
function bordersOf({ businessHours, timezone }: Schedule, { from, to }: ClosureFreeDays, open: boolean): number[] {
  const days = to ? Math.min(DAYS_AHEAD, from.until(to).days + 1) : DAYS_AHEAD;
  const inside = Array.from({ length: days }, (_, ahead) => from.add({ days: ahead })).flatMap((date) => {
    const entry = businessHours[date.dayOfWeek - 1];
    const times = new Set(entry ? openPeriods(entry).flat() : []);
    return [...times].flatMap((time) => borders(date, time, timezone));
  });
  return open && to ? [...inside, ...borders(to, '24:00', timezone)] : inside;
}

/** The opening time of a day without its breaks, as pairs of opening and closing. */
export function openPeriods({
  open,
  openingAt: opening,
  closingAt,
  breaks = [],
}: BusinessHoursEntry): [string, string][] {
  if (!open) return [];
  const opens = [opening, ...breaks.map(({ to }) => to)];
  const closes = [...breaks.map(({ from }) => from), closingAt];
  return opens
    .map((start, index): [string, string] => [start, closes[index] ?? closingAt])
    .filter(([start, end]) => minuteOfDay(start) < minuteOfDay(end));
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
