import { invalid, Refused, refusal } from '@parley/errors';
import type { ReportScope } from '@parley/proto/reports/v1/reports_pb';
import { hasRole, type Role } from '@parley/actor';
import { addDays, countDates, knownZone, localTime } from '../totals/local-time.ts';
import type { ReportGroup } from '../totals/total.ts';

const DAYS_MAX = 400;
const DAYS_DEFAULT = 30;
/** Far enough for every call there can be, near enough for every calendar. */
const [FIRST_YEAR, LAST_YEAR] = [2000, 2199];

/** Refuses a time zone that there is not. */
export function requestedZone(timezone: string): string {
  const zone = knownZone(timezone);
  if (zone === undefined) throw new Refused(invalid({ timezone: ['is not a time zone'] }));
  return zone;
}

/** The days of a report, both included. */
export function requestedDays(
  scope: Pick<ReportScope, 'from' | 'to'>,
  zone: string,
  now: Date,
): { readonly from: string; readonly to: string } {
  const problems: Record<string, string[]> = {};
  const read = (name: 'from' | 'to') => {
    if (scope[name] !== '' && !isDate(scope[name])) problems[name] = ['is not a date'];
    return scope[name];
  };
  const [givenFrom, givenTo] = [read('from'), read('to')];
  if (Object.keys(problems).length > 0) throw new Refused(invalid(problems));
  const today = localTime(zone, now.getTime()).date;
  const to = givenTo || (givenFrom > today ? givenFrom : today);
  const from = givenFrom || addDays(to, 1 - DAYS_DEFAULT);
  if (from > to) throw new Refused(invalid({ to: ['must not be before from'] }));
  if (countDates(from, to) > DAYS_MAX)
    throw new Refused(invalid({ to: [`must be at most ${DAYS_MAX} days after from`] }));
  return { from, to };
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  const year = Number(text.slice(0, 4));
  const isKnown = year >= FIRST_YEAR && year <= LAST_YEAR;
  return isKnown && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Members see what they did themselves, and how much there was: by default their own row and the totals. */
export function permittedGroup(
  caller: { readonly role: Role; readonly employeeId: string },
  { groupBy, employeeId }: { readonly groupBy: ReportGroup | undefined; readonly employeeId: string },
): ReportGroup {
  if (hasRole(caller.role, 'admin') || employeeId === caller.employeeId) return groupBy ?? 'day';
  if (employeeId === '' && (groupBy ?? 'employee') === 'employee') return 'employee';
  throw new Refused(refusal('forbidden', 'forbidden'));
}
