import type { Problems } from '../call-flows/problems.ts';
import { type BusinessHoursEntry, minuteOfDay } from './business-hours.ts';

/** A change of one weekday; absent fields stay as they are. The gateway has checked each field by itself. */
export interface BusinessHoursChange {
  /** 0 is Monday, 6 is Sunday. */
  readonly dayOfWeek: number;
  readonly open?: boolean | undefined;
  /** HH:MM. */
  readonly openingAt?: string | undefined;
  /** HH:MM; 24:00 is the end of the day. */
  readonly closingAt?: string | undefined;
}

/** Merges changes into a schedule, day by day. The result is meaningless once `problems` has grown. */
export function changeBusinessHours(
  current: readonly BusinessHoursEntry[],
  changes: readonly BusinessHoursChange[],
  problems: Problems,
): readonly BusinessHoursEntry[] {
  const merged = [...current];
  const seen = new Set<number>();
  changes.forEach(({ dayOfWeek, open, openingAt, closingAt }, index) => {
    const path = `business_hours[${index}]`;
    const known = current[dayOfWeek];
    if (!known) return problems.add(`${path}.day_of_week`, 'must be 0 (Monday) to 6 (Sunday)');
    if (seen.has(dayOfWeek)) problems.add(`${path}.day_of_week`, 'has already been taken');
    seen.add(dayOfWeek);
    const entry: BusinessHoursEntry = {
      dayOfWeek,
      open: open ?? known.open,
      openingAt: openingAt ?? known.openingAt,
      closingAt: closingAt ?? known.closingAt,
    };
    if (entry.open && minuteOfDay(entry.openingAt) >= minuteOfDay(entry.closingAt))
      problems.add(
        `${path}.${closingAt === undefined ? 'opening_at' : 'closing_at'}`,
        'must be such that opening_at is before closing_at',
      );
    merged[dayOfWeek] = entry;
  });
  return merged;
}
