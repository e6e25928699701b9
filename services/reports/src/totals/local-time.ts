import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

const MINUTE_MS = 60_000;
/** Offsets of all time zones, and their changes, are multiples of it. */
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An instant in the calendar of a time zone. */
export interface LocalTime {
  /** `2026-11-16` */
  readonly date: string;
  readonly hour: number;
  /** Local time minus UTC. */
  readonly offsetMinutes: number;
}

/** An hour of a day. An hour that the clocks repeat is two, with different offsets. */
export type LocalHour = Pick<LocalTime, 'hour' | 'offsetMinutes'>;

const zones = new LRUCache<string, string>({ max: 1000 });
const known = new LRUCache<string, LocalTime>({ max: 50_000 });

/** The time zone under its canonical name; undefined when there is none of this name. */
export function knownZone(name: string): string | undefined {
  const cached = zones.get(name);
  if (cached !== undefined) return cached;
  // An offset such as +01:00 is no time zone: it has no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    zones.set(name, zone);
    return zone;
  } catch {
    return undefined;
  }
}

export function localTime(zone: string, atMs: number): LocalTime {
  const quarter = Math.floor(atMs / QUARTER_MS);
  const key = `${zone} ${quarter}`;
  const cached = known.get(key);
  if (cached) return cached;
  const local = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(zone);
  const time = {
    date: local.toPlainDate().toString(),
    hour: local.hour,
    offsetMinutes: Math.round(local.offsetNanoseconds / 60e9),
  };
  known.set(key, time);
  return time;
}

/** The first instant of a day, and that of the next one, in milliseconds. */
export function dayBounds(zone: string, date: string): readonly [number, number] {
  const day = Temporal.PlainDate.from(date);
  return [startOf(zone, day), startOf(zone, day.add({ days: 1 }))];
}

function startOf(zone: string, day: Temporal.PlainDate): number {
  return day.toZonedDateTime(zone).epochMilliseconds;
}

/** Every hour that a day has, in order: 23 to 25 of them where the clocks change. */
export function hoursOf(zone: string, date: string): LocalHour[] {
  const [start, end] = dayBounds(zone, date);
  const { offsetMinutes } = localTime(zone, start);
  if (end - start === DAY_MS && localTime(zone, end - 1).offsetMinutes === offsetMinutes)
    return Array.from({ length: 24 }, (_, hour) => ({ hour, offsetMinutes }));
  const hours = new Map<string, LocalHour>();
  for (let at = start; at < end; at += QUARTER_MS) {
    const local = localTime(zone, at);
    if (local.date === date) hours.set(hourKey(local), { hour: local.hour, offsetMinutes: local.offsetMinutes });
  }
  return [...hours.values()];
}

/** An hour within its day: `9+60`. */
export function hourKey({ hour, offsetMinutes }: LocalHour): string {
  return `${hour}${offsetMinutes < 0 ? '-' : '+'}${Math.abs(offsetMinutes)}`;
}

/** ISO 8601 with offset. */
export function hourText(date: string, { hour, offsetMinutes }: LocalHour): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${date}T${two(hour)}:00:00${offset}`;
}

/** 0 is Monday. */
export function weekdayOf(date: string): number {
  // The first day of 1970 was a Thursday.
  return (utcDay(date) / DAY_MS + 3) % 7;
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** The first and the last day of a month. */
export function monthBounds(month: string): readonly [string, string] {
  const first = Temporal.PlainDate.from(`${month}-01`);
  return [first.toString(), first.add({ months: 1 }).subtract({ days: 1 }).toString()];
}

export function addDays(date: string, days: number): string {
  return dateOf(utcDay(date) + days * DAY_MS);
}

/** Both included; none when the second is before the first. */
export function datesFrom(first: string, last: string): string[] {
  const dates: string[] = [];
  const end = utcDay(last);
  for (let day = utcDay(first); day <= end; day += DAY_MS) dates.push(dateOf(day));
  return dates;
}

/** How many `datesFrom` would be. */
export function countDates(first: string, last: string): number {
  return Math.max(0, Math.round((utcDay(last) - utcDay(first)) / DAY_MS) + 1);
}

/** Days in the calendar have no daylight saving, so they are counted in UTC. */
function utcDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
