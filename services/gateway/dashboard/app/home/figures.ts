import type { CallReport, Employee, LiveReport } from '../api/schema.d.ts';

/** The calls of two days, indexed by hour of the day. */
export interface HoursOfDays {
  readonly today: readonly number[];
  readonly yesterday: readonly number[];
}

/** `rows`: of a report by hour from yesterday to today. */
export function hoursOf(
  rows: readonly Pick<CallReport['rows'][number], 'key' | 'total'>[],
  days: { readonly from: string; readonly to: string },
): HoursOfDays {
  return { today: byHour(rows, days.to), yesterday: byHour(rows, days.from) };
}

/** Keys are hours as ISO 8601 with offset; where clocks are put back, a day has one of them twice. */
function byHour(rows: Parameters<typeof hoursOf>[0], day: string): number[] {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { key, total } of rows) {
    const [date, time = ''] = String(key).split('T');
    if (date === day) hours[Number(time.slice(0, 2))]! += total;
  }
  return hours;
}

/** How many callers wait, and for how many seconds the first of them has; null when nobody waits. */
export function waitingNow(numbers: readonly Pick<LiveReport['numbers'][number], 'waiting'>[]): {
  readonly count: number;
  readonly longestSecs: number | null;
} {
  const waits = numbers.flatMap(({ waiting }) => waiting.map(({ waiting_secs: secs }) => secs));
  return { count: waits.length, longestSecs: waits.length === 0 ? null : Math.max(...waits) };
}

/** The hours that a picture of the day shows: office hours, and whatever else there are calls in. */
export function shownHours({ today, yesterday }: HoursOfDays): readonly number[] {
  const used = today.flatMap((count, hour) => (count + (yesterday[hour] ?? 0) > 0 ? [hour] : []));
  const first = Math.min(8, ...used);
  const last = Math.max(17, ...used);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** `all` counts the employees who can be called. */
export function atWork(employees: readonly Pick<Employee, 'status'>[]): { onPhone: number; all: number } {
  const present = employees.filter(({ status }) => status !== 'logged_out' && status !== 'unknown');
  return { onPhone: present.filter(({ status }) => status === 'on_call').length, all: present.length };
}
