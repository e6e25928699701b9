import type { Problems } from '../call-flows/problems.ts';
import { type BusinessHoursBreak, type BusinessHoursEntry, minuteOfDay } from '@parley/opening-hours';

/** A change of one weekday; absent fields stay as they are. The gateway has checked each field by itself. */
export interface BusinessHoursChange {
  /** 0 is Monday, 6 is Sunday. */
  readonly dayOfWeek: number;
  readonly open?: boolean | undefined;
  /** HH:MM. */
  readonly openingAt?: string | undefined;
  /** HH:MM; 24:00 is the end of the day. */
  readonly closingAt?: string | undefined;
  /** All breaks of the day. */
  readonly breaks?: readonly BusinessHoursBreak[] | undefined;
}

const BREAKS_MAX = 4;

/** Merges changes into a schedule, day by day. The result is meaningless once `problems` has grown. */
export function changeBusinessHours(
  current: readonly BusinessHoursEntry[],
  changes: readonly BusinessHoursChange[],
  problems: Problems,
): readonly BusinessHoursEntry[] {
  const merged = [...current];
  const seen = new Set<number>();
  changes.forEach(({ dayOfWeek, open, openingAt, closingAt, breaks: changedBreaks }, index) => {
    const path = `business_hours[${index}]`;
    const known = current[dayOfWeek];
    if (!known) return problems.add(`${path}.day_of_week`, 'must be 0 (Monday) to 6 (Sunday)');
    if (seen.has(dayOfWeek)) problems.add(`${path}.day_of_week`, 'has already been taken');
    seen.add(dayOfWeek);
    const breaks = (changedBreaks ?? known.breaks ?? [])
      .map(({ from, to }) => ({ from, to }))
      .sort((a, b) => minuteOfDay(a.from) - minuteOfDay(b.from));
    const entry: BusinessHoursEntry = {
      dayOfWeek,
      open: open ?? known.open,
      openingAt: openingAt ?? known.openingAt,
      closingAt: closingAt ?? known.closingAt,
      ...(breaks.length > 0 && { breaks }),
    };
    if (entry.open && minuteOfDay(entry.openingAt) >= minuteOfDay(entry.closingAt))
      problems.add(
        `${path}.${closingAt === undefined ? 'opening_at' : 'closing_at'}`,
        'must be such that opening_at is before closing_at',
      );
    // The breaks of a closed day are checked as well when they are given: they count once the day opens.
    if (entry.open || changedBreaks) checkBreaks(entry, changedBreaks ?? breaks, path, problems);
    merged[dayOfWeek] = entry;
  });
  return merged;
}

/** Names breaks by their place in the request, or by their place in the day when the request leaves them as they are. */
function checkBreaks(
  { openingAt, closingAt }: BusinessHoursEntry,
  breaks: readonly BusinessHoursBreak[],
  path: string,
  problems: Problems,
): void {
  if (breaks.length > BREAKS_MAX) return problems.add(`${path}.breaks`, `must have at most ${BREAKS_MAX} items`);
  breaks.forEach(({ from, to }, index) => {
    const [start, end] = [minuteOfDay(from), minuteOfDay(to)];
    if (start >= end) problems.add(`${path}.breaks[${index}].to`, 'must be after from');
    if (start < minuteOfDay(openingAt))
      problems.add(`${path}.breaks[${index}].from`, 'must be inside the opening time');
    if (end > minuteOfDay(closingAt)) problems.add(`${path}.breaks[${index}].to`, 'must be inside the opening time');
    const overlaps = breaks
      .slice(0, index)
      .some((other) => minuteOfDay(other.from) < end && start < minuteOfDay(other.to));
    if (overlaps) problems.add(`${path}.breaks[${index}]`, 'must not overlap another break');
  });
}
