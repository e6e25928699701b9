import { Temporal } from 'temporal-polyfill';
import { type BusinessHoursEntry, minuteOfDay } from './business-hours.ts';

const DAYS_AHEAD = 8;

/** An instant in local time, and whether a schedule is open. */
export interface Opening {
  readonly open: boolean;
  readonly today: BusinessHoursEntry;
  readonly local: Temporal.ZonedDateTime;
}

/**
 * Whether a schedule is open at an instant. Wall-clock time decides: an hour that the clocks skip is never open, an hour
 * they repeat is open twice.
 */
export function openingAt(hours: readonly BusinessHoursEntry[], timezone: string, at: Date): Opening {
  const local = localTime(timezone, at);
  const today = entryOf(hours, local);
  const minute = local.hour * 60 + local.minute;
  const open = today.open && minuteOfDay(today.openingAt) <= minute && minute < minuteOfDay(today.closingAt);
  return { open, today, local };
}

/** When the answer of `openingAt` changes next; undefined when it never does. */
export function nextChange(hours: readonly BusinessHoursEntry[], timezone: string, at: Date): Date | undefined {
  const { open, local } = openingAt(hours, timezone, at);
  const instants: number[] = [];
  for (let ahead = 0; ahead < DAYS_AHEAD; ahead++) {
    const date = local.toPlainDate().add({ days: ahead });
    const entry = hours[date.dayOfWeek - 1];
    if (!entry?.open) continue;
    instants.push(...borders(date, entry.openingAt, timezone), ...borders(date, entry.closingAt, timezone));
  }
  const changed = instants
    .filter((instant) => instant > at.getTime())
    .sort((a, b) => a - b)
    .find((instant) => openingAt(hours, timezone, new Date(instant)).open !== open);
  return changed === undefined ? undefined : new Date(changed);
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
