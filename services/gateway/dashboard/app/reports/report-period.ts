import { wallClockIn } from '../i18n/zoned-time.ts';

/** Days of the calendar, such as 2026-11-16, both included. */
export interface ReportPeriod {
  readonly from: string;
  readonly to: string;
  /** Where the days begin and end; undefined until it has been read. */
  readonly timezone: string | undefined;
}

/** The usual periods by how many days they have, this day included. */
export const USUAL_DAYS = [7, 30, 90, 365] as const;
const DEFAULT_DAYS = 30;
/** The API reports no more at once. */
const DAYS_MAX = 400;
const DAY_MS = 86_400_000;

/** The last days until now. */
export function lastDays(count: number, timezone: string | undefined, now = new Date()): ReportPeriod {
  const to = wallClockIn(timezone, now).slice(0, 10);
  return { from: dayText(Date.parse(to) - (count - 1) * DAY_MS), to, timezone };
}

/** The period of an address: two days in their order, at most as many as the API reports; otherwise the default period. */
export function periodOf(from: string, to: string, timezone: string | undefined, now = new Date()): ReportPeriod {
  if (!isDay(from) || !isDay(to)) return lastDays(DEFAULT_DAYS, timezone, now);
  const [first, last] = from <= to ? [from, to] : [to, from];
  const earliest = dayText(Date.parse(last) - (DAYS_MAX - 1) * DAY_MS);
  return { from: first < earliest ? earliest : first, to: last, timezone };
}

export function daysIn({ from, to }: Pick<ReportPeriod, 'from' | 'to'>): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** As many days, right before. */
export function periodBefore(period: ReportPeriod): ReportPeriod {
  const first = Date.parse(period.from);
  return { ...period, from: dayText(first - daysIn(period) * DAY_MS), to: dayText(first - DAY_MS) };
}

/** The length of one of the offered periods, if it is one. */
export function usualDays(period: ReportPeriod, now = new Date()): number | undefined {
  return USUAL_DAYS.find((count) => {
    const usual = lastDays(count, period.timezone, now);
    return usual.from === period.from && usual.to === period.to;
  });
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayText(Date.parse(text)) === text;
}

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);
