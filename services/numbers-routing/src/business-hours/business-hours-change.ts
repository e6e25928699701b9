import type { Problems } from '../call-flows/problems.ts';
import { isObject } from '../call-flows/problems.ts';
import { type BusinessHoursEntry, minuteOfDay } from './business-hours.ts';

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAYS = 7;

/**
 * Merges entries as a client wrote them into a schedule, day by day; what an entry leaves out stays as it is. Everything
 * wrong goes into `problems`, and then the answer means nothing.
 */
export function changeBusinessHours(
  current: readonly BusinessHoursEntry[],
  written: unknown,
  problems: Problems,
): readonly BusinessHoursEntry[] {
  const path = 'business_hours';
  if (!Array.isArray(written)) {
    problems.add(path, 'must be an array');
    return current;
  }
  if (written.length === 0) problems.add(path, 'must have at least 1 item');
  if (written.length > DAYS) problems.add(path, `must have at most ${DAYS} items`);
  const merged = [...current];
  const seen = new Set<number>();
  written.slice(0, DAYS + 1).forEach((item: unknown, index) => {
    const entry = readEntry(current, item, `${path}[${index}]`, problems);
    if (!entry) return;
    if (seen.has(entry.dayOfWeek)) problems.add(`${path}[${index}].day_of_week`, 'has already been taken');
    seen.add(entry.dayOfWeek);
    merged[entry.dayOfWeek] = entry;
  });
  return merged;
}

function readEntry(
  current: readonly BusinessHoursEntry[],
  item: unknown,
  path: string,
  problems: Problems,
): BusinessHoursEntry | undefined {
  if (!isObject(item)) {
    problems.add(path, 'must be an object');
    return undefined;
  }
  const { day_of_week: day, open, opening_at: openingAt, closing_at: closingAt } = item;
  const before = problems.count();
  if (day === undefined) problems.add(`${path}.day_of_week`, 'is required');
  else if (!Number.isInteger(day)) problems.add(`${path}.day_of_week`, 'must be an integer');
  else if ((day as number) < 0 || (day as number) >= DAYS)
    problems.add(`${path}.day_of_week`, 'must be 0 (Monday) to 6 (Sunday)');
  if (open !== undefined && typeof open !== 'boolean') problems.add(`${path}.open`, 'must be true or false');
  checkTime(openingAt, `${path}.opening_at`, false, problems);
  checkTime(closingAt, `${path}.closing_at`, true, problems);
  const known = current[day as number];
  if (!known || problems.count() > before) return undefined;
  const entry: BusinessHoursEntry = {
    dayOfWeek: known.dayOfWeek,
    open: (open as boolean | undefined) ?? known.open,
    openingAt: (openingAt as string | undefined) ?? known.openingAt,
    closingAt: (closingAt as string | undefined) ?? known.closingAt,
  };
  if (entry.open && minuteOfDay(entry.openingAt) >= minuteOfDay(entry.closingAt))
    problems.add(`${path}.${closingAt === undefined ? 'opening_at' : 'closing_at'}`, 'must leave time to be open');
  return entry;
}

function checkTime(time: unknown, path: string, endOfDay: boolean, problems: Problems): void {
  if (time === undefined) return;
  if (typeof time !== 'string') problems.add(path, 'must be a string');
  else if (!TIME_OF_DAY.test(time) && !(endOfDay && time === '24:00'))
    problems.add(path, endOfDay ? 'must be HH:MM, at most 24:00' : 'must be HH:MM, at most 23:59');
}
