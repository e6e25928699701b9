import type { BusinessHoursEntry } from '../api/schema.d.ts';
import { weekdayName } from '../i18n/format.ts';

/** One day as a person edits it; the times are as typed. */
export interface DayForm {
  readonly dayOfWeek: number;
  readonly name: string;
  readonly open: boolean;
  readonly opensAt: string;
  readonly closesAt: string;
  readonly breaks: readonly BreakForm[];
}

/** A closed part of the opening time. */
export interface BreakForm {
  readonly from: string;
  readonly to: string;
}

export const BREAKS_MAX = 4;

interface DayBody {
  day_of_week: number;
  open: boolean;
  opening_at: string;
  closing_at: string;
  breaks: { from: string; to: string }[];
}

export function businessHoursForm(days: readonly BusinessHoursEntry[]): readonly DayForm[] {
  return days.map((day) => ({
    dayOfWeek: day.day_of_week,
    name: day.day_name,
    open: day.open,
    opensAt: day.opening_at,
    closesAt: day.closing_at,
    breaks: day.breaks.map(({ from, to }) => ({ from, to })),
  }));
}

export function businessHoursBody(days: readonly DayForm[]): DayBody[] {
  return days.map(({ dayOfWeek, open, opensAt, closesAt, breaks }) => ({
    day_of_week: dayOfWeek,
    open,
    opening_at: clockTime(opensAt),
    closing_at: clockTime(closesAt),
    breaks: breaks.map(({ from, to }) => ({ from: clockTime(from), to: clockTime(to) })),
  }));
}

/** Normalizes typed times to HH:MM: `9`, `9:30`, `9.30`, `0930`. Anything else stays as it is: the API reports the problem. */
export function clockTime(typed: string): string {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(typed.trim()) ?? [];
  return hours === undefined ? typed.trim() : `${hours.padStart(2, '0')}:${minutes}`;
}

/** True when the API can be expected to accept the times, for requests while the user is still typing. */
export function areTimesComplete(days: readonly DayForm[]): boolean {
  return businessHoursBody(days).every(
    ({ open, opening_at: opens, closing_at: closes, breaks }) =>
      isPeriod(opens, closes, !open) && breaks.every(({ from, to }) => isPeriod(from, to, false)),
  );
}

function isPeriod(from: string, to: string, mayBeEmpty: boolean): boolean {
  return (
    /^([01]\d|2[0-3]):[0-5]\d$/.test(from) && /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(to) && (mayBeEmpty || from < to)
  );
}

/** The day of the week in the reader's language. */
export const dayName = ({ dayOfWeek }: DayForm): string => weekdayName(dayOfWeek);

/** The open part of a day, as parts of its 24 hours; undefined while it is closed or its times are not complete. */
export function openPart({ open, opensAt, closesAt }: DayForm): { from: number; to: number } | undefined {
  const from = partOfDay(clockTime(opensAt));
  const to = partOfDay(clockTime(closesAt));
  return open && from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

/** The breaks of an open day that are complete, as parts of its 24 hours. */
export function breakParts(day: DayForm): readonly { from: number; to: number }[] {
  return day.breaks.flatMap(({ from, to }) => {
    const part = openPart({ ...day, opensAt: from, closesAt: to });
    return part ? [part] : [];
  });
}

/** The time in what an input for date and time has, as part of the day. */
export const timePart = (wallClock: string): number | undefined => partOfDay(wallClock.slice(11, 16));

/** The day of the week of what an input for date and time has; 0 is Monday. */
export function weekdayOf(wallClock: string): number | undefined {
  const day = new Date(`${wallClock.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return Number.isNaN(day) ? undefined : (day + 6) % 7;
}

function partOfDay(time: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const part = (Number(hours) * 60 + Number(minutes)) / (24 * 60);
  return part <= 1 ? part : undefined;
}
