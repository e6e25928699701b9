import { nextTurnIfDue } from '@parley/queues';
import { type Cell, cellSum, sumOf } from '../cells/cell.ts';
import { datesFrom, hourKey, hoursOf, hourText, monthBounds, monthOf, weekdayOf } from '../totals/local-time.ts';
import type { ReportGroup, Scope, ZoneTotals } from '../totals/total.ts';
import type { PartOfTotal, Period, TotalPart, Totals } from '../totals/total-store.ts';

interface ReportQuery {
  readonly of: ZoneTotals;
  readonly scope: Scope;
  /** Dates, both included. */
  readonly from: string;
  readonly to: string;
  readonly groupBy: ReportGroup;
}

export interface Report {
  readonly rows: readonly { readonly key: string; readonly cell: Cell }[];
  readonly total: Cell;
}

const none: Cell = { counts: {}, spreads: {} };

/** Reads a report from totals. `groups`: the ids that have a row even without facts. */
export function readReport(totals: Totals, query: ReportQuery, groups: readonly string[]): Promise<Report> {
  switch (query.groupBy) {
    case 'day':
      return readDays(totals, query);
    case 'hour':
      return readHours(totals, query);
    case 'weekday':
      return readParts(totals, query, 7, {
        monthPart: 'weekdays',
        dayPart: 'total',
        ofDay: (day) => [[weekdayOf(day.period), day.total ?? none]],
      });
    case 'hour_of_day':
      return readParts(totals, query, 24, {
        monthPart: 'hours',
        dayPart: 'hours',
        ofDay: ({ hours = {} }) => Object.entries(hours).map(([hour, cell]) => [parseInt(hour), cell]),
      });
    case 'business_number':
      return readGroups(totals, query, 'businessNumberId', groups);
    case 'employee':
      return readGroups(totals, query, 'employeeId', groups);
  }
}

const days = (dates: readonly string[]) => dates.map((period) => ({ unit: 'day', period }) as const);

async function readDays(totals: Totals, { of, scope, from, to }: ReportQuery): Promise<Report> {
  const dates = datesFrom(from, to);
  const found = await totals.ofScope(of, scope, days(dates), 'total');
  const byDate = new Map(found.map(({ period, total }) => [period, total]));
  const rows = dates.map((key) => ({ key, cell: byDate.get(key) ?? none }));
  return { rows, total: sumOf(rows.map(({ cell }) => cell)) };
}

async function readHours(totals: Totals, { of, scope, from, to }: ReportQuery): Promise<Report> {
  const dates = datesFrom(from, to);
  const found = await totals.ofScope(of, scope, days(dates), 'hours', 'total');
  const byDate = new Map(found.map(({ period, hours }) => [period, hours]));
  const rows: { key: string; cell: Cell }[] = [];
  for (const date of dates) {
    for (const hour of hoursOf(of.zone, date))
      rows.push({ key: hourText(date, hour), cell: byDate.get(date)?.[hourKey(hour)] ?? none });
    const turn = nextTurnIfDue();
    if (turn) await turn;
  }
  return { rows, total: sumOfTotals(found) };
}

/** Adds the totals of periods and not their hours: a person who is new in an hour may not be new in the day. */
const sumOfTotals = (parts: readonly PartOfTotal[]): Cell => sumOf(parts.map(({ total = none }) => total));

/** A fixed number of rows, from parts of months and of the days at both ends. */
async function readParts(
  totals: Totals,
  { of, scope, from, to }: ReportQuery,
  rowCount: number,
  parts: {
    readonly monthPart: 'hours' | 'weekdays';
    readonly dayPart: TotalPart;
    readonly ofDay: (day: PartOfTotal) => (readonly [number, Cell])[];
  },
): Promise<Report> {
  const periods = reportPeriods(from, to);
  const ofUnit = (unit: Period['unit']) => periods.filter((period) => period.unit === unit);
  const [months, singleDays] = await Promise.all([
    totals.ofScope(of, scope, ofUnit('month'), parts.monthPart, 'total'),
    totals.ofScope(of, scope, ofUnit('day'), parts.dayPart, 'total'),
  ]);
  const sums = Array.from({ length: rowCount }, cellSum);
  for (const month of months)
    for (const [key, cell] of Object.entries(month[parts.monthPart] ?? {})) sums[Number(key)]?.add(cell);
  for (const day of singleDays) for (const [key, cell] of parts.ofDay(day)) sums[key]?.add(cell);
  return {
    rows: sums.map(({ cell }, key) => ({ key: String(key), cell })),
    total: sumOfTotals([...months, ...singleDays]),
  };
}

async function readGroups(
  totals: Totals,
  { of, scope, from, to }: ReportQuery,
  by: keyof Scope,
  groups: readonly string[],
): Promise<Report> {
  const periods = reportPeriods(from, to);
  const [found, all] = await Promise.all([
    totals.grouped(of, by, scope, periods),
    totals.ofScope(of, scope, periods, 'total'),
  ]);
  const byId = Map.groupBy(found, (part) => part[by]);
  const wanted = new Set(scope[by] === '' ? groups : groups.filter((id) => id === scope[by]));
  // Those who left since have a row if they have anything in it.
  const former = [...byId.keys()].filter((id) => !wanted.has(id)).sort();
  const rows = [...wanted, ...former].map((key) => ({ key, cell: sumOfTotals(byId.get(key) ?? []) }));
  const isShown = ({ key, cell }: { key: string; cell: Cell }) =>
    wanted.has(key) || Object.keys(cell.counts).length > 0;
  return { rows: rows.filter(isShown), total: sumOfTotals(all) };
}

/**
 * The totals that make up a time: whole months, and single days at its ends. They are only added: a month is made after
 * its days, so a day that is subtracted from its month might have changes that the month has not.
 */
export function reportPeriods(from: string, to: string): Period[] {
  const months = Map.groupBy(datesFrom(from, to), monthOf);
  return [...months].flatMap(([month, dates]): Period[] => {
    const isWhole = dates.length === datesFrom(...monthBounds(month)).length;
    return isWhole ? [{ unit: 'month', period: month }] : dates.map((period) => ({ unit: 'day', period }));
  });
}
