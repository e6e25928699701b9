import type { Countable, Fact, FactKind } from '../facts/fact.ts';
import { type Cell, type CellSum, cellSum, isEmpty, sumOf, withoutZeros } from '../cells/cell.ts';
import { hourKey, localTime, monthOf, weekdayOf } from './local-time.ts';

/** The key by which the rows of a report are grouped. */
export type ReportGroup = 'day' | 'hour' | 'weekday' | 'hour_of_day' | 'business_number' | 'employee';

/** Whose facts are counted: those of a number, of an employee, of both; `''` is everybody's. */
export interface Scope {
  readonly businessNumberId: string;
  readonly employeeId: string;
}

export interface TotalKey extends Scope {
  readonly unit: 'day' | 'month';
  /** `2026-11-16` or `2026-11`, in the time zone. */
  readonly period: string;
}

/** The sum of a day's or a month's facts in a time zone, and the same by parts of it. */
export interface Total extends TotalKey {
  readonly total: Cell;
  /** In totals of days, keyed by hour with its offset (`hourKey`); in totals of months, by hour of the day (0 to 23). */
  readonly hours: Readonly<Record<string, Cell>>;
  /** Present in totals of months; 0 is Monday. */
  readonly weekdays?: Readonly<Record<string, Cell>>;
}

export interface ZoneTotals {
  readonly companyId: string;
  readonly kind: FactKind;
  readonly zone: string;
}

/** Every scope in which a fact counts, once each. */
export function scopesOf({ businessNumberId, employeeIds }: Pick<Fact, 'businessNumberId' | 'employeeIds'>): Scope[] {
  return ['', ...new Set(employeeIds)].flatMap((employeeId) => [
    { businessNumberId: '', employeeId },
    { businessNumberId, employeeId },
  ]);
}

export const scopeKey = ({ businessNumberId, employeeId }: Scope): string => `${businessNumberId}/${employeeId}`;

/** A fact's contribution to one scope besides its cell: to the total of its day, and to its hour. */
export interface ScopeCells {
  readonly total: Cell;
  readonly hour: Cell;
}

/** Adds up the days of facts. */
export interface DaySums {
  /** `more`: by `scopeKey`. A fact is subtracted when it is added -1 times. */
  add(fact: Countable, more?: ReadonlyMap<string, ScopeCells>, times?: 1 | -1): void;
  days(): Total[];
}

interface DaySum extends TotalKey {
  readonly total: CellSum;
  readonly hours: Map<string, CellSum>;
}

/** The days of a time zone. */
export function daySums(zone: string): DaySums {
  const sums = new Map<string, DaySum>();
  return {
    add(fact, more, times = 1) {
      const local = localTime(zone, fact.at.getTime());
      for (const scope of scopesOf(fact)) {
        const key = `${scopeKey(scope)}/${local.date}`;
        let sum = sums.get(key);
        if (!sum)
          sums.set(key, (sum = { ...scope, unit: 'day', period: local.date, total: cellSum(), hours: new Map() }));
        sum.total.add(fact.cell, times);
        const hour = hourKey(local);
        let hourSum = sum.hours.get(hour);
        if (!hourSum) sum.hours.set(hour, (hourSum = cellSum()));
        hourSum.add(fact.cell, times);
        const added = more?.get(scopeKey(scope));
        if (!added) continue;
        sum.total.add(added.total, times);
        hourSum.add(added.hour, times);
      }
    },
    days: () =>
      [...sums.values()].map(({ total, hours, ...key }) => ({
        ...key,
        total: total.cell,
        hours: Object.fromEntries([...hours].map(([hour, { cell }]) => [hour, cell])),
      })),
  };
}

/** The months of days; all days of a month and a scope have to be there. */
export function monthTotals(days: readonly Total[]): Total[] {
  const months = Map.groupBy(days, (day) => `${scopeKey(day)}/${monthOf(day.period)}`);
  return [...months.values()].map((own) => {
    const [{ businessNumberId, employeeId, period }] = own as [Total];
    const byWeekday = Map.groupBy(own, (day) => weekdayOf(day.period));
    const hours = own.flatMap((day) =>
      Object.entries(day.hours).map(([hour, cell]) => ({ hour: parseInt(hour), cell })),
    );
    const byHour = Map.groupBy(hours, ({ hour }) => hour);
    return {
      businessNumberId,
      employeeId,
      unit: 'month',
      period: monthOf(period),
      total: sumOf(own.map(({ total }) => total)),
      weekdays: Object.fromEntries(
        [...byWeekday].map(([weekday, group]) => [weekday, sumOf(group.map(({ total }) => total))]),
      ),
      hours: Object.fromEntries([...byHour].map(([hour, group]) => [hour, sumOf(group.map(({ cell }) => cell))])),
    };
  });
}

/** A total after a change of it; the first one if there is none yet. */
export function addTotals(current: Total | undefined, change: Total): Total {
  const { businessNumberId, employeeId, unit, period } = change;
  const weekdays = addCells(current?.weekdays, change.weekdays);
  return {
    businessNumberId,
    employeeId,
    unit,
    period,
    total: withoutZeros(sumOf(current ? [current.total, change.total] : [change.total])),
    hours: addCells(current?.hours, change.hours),
    ...(unit === 'month' && { weekdays }),
  };
}

/** False for a change of nothing. */
export function changesSomething({ total, hours, weekdays = {} }: Total): boolean {
  const cells = [total, ...Object.values(hours), ...Object.values(weekdays)];
  return cells.some((cell) => !isEmpty(withoutZeros(cell)));
}

function addCells(some: Total['hours'] = {}, others: Total['hours'] = {}): Total['hours'] {
  const sums = new Map(Object.entries(some));
  for (const [key, cell] of Object.entries(others)) {
    const before = sums.get(key);
    sums.set(key, withoutZeros(sumOf(before ? [before, cell] : [cell])));
  }
  return Object.fromEntries([...sums].filter(([, cell]) => !isEmpty(cell)));
}
