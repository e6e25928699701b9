import type { BusinessHoursEntry } from '../api/schema.d.ts';

/** One day as a person edits it; the times are as typed. */
export interface DayForm {
  readonly dayOfWeek: number;
  readonly name: string;
  readonly open: boolean;
  readonly opensAt: string;
  readonly closesAt: string;
}

interface DayBody {
  day_of_week: number;
  open: boolean;
  opening_at: string;
  closing_at: string;
}

export function businessHoursForm(days: readonly BusinessHoursEntry[]): readonly DayForm[] {
  return days.map((day) => ({
    dayOfWeek: day.day_of_week,
    name: day.day_name,
    open: day.open,
    opensAt: day.opening_at,
    closesAt: day.closing_at,
  }));
}

export function businessHoursBody(days: readonly DayForm[]): DayBody[] {
  return days.map(({ dayOfWeek, open, opensAt, closesAt }) => ({
    day_of_week: dayOfWeek,
    open,
    opening_at: clockTime(opensAt),
    closing_at: clockTime(closesAt),
  }));
}

/** What people type for a time, as HH:MM: `9`, `9:30`, `9.30`, `0930`. Anything else stays as it is: the API says what is wrong. */
export function clockTime(typed: string): string {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(typed.trim()) ?? [];
  return hours === undefined ? typed.trim() : `${hours.padStart(2, '0')}:${minutes}`;
}

/** Whether the API can be expected to accept them: for what is sent while somebody is still typing. */
export function areTimesComplete(days: readonly DayForm[]): boolean {
  return businessHoursBody(days).every(
    ({ open, opening_at: opens, closing_at: closes }) =>
      /^([01]\d|2[0-3]):[0-5]\d$/.test(opens) &&
      /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(closes) &&
      (!open || opens < closes),
  );
}
