import type { Facts } from '../facts/fact-store.ts';
import type { Fact, FactKind } from '../facts/fact.ts';
import { HISTORY_MS, markHistory } from '../message-reports/person-history.ts';
import { addDays, datesFrom, dayBounds, localTime, monthBounds, monthOf } from '../totals/local-time.ts';
import {
  type DaySums,
  daySums,
  monthTotals,
  type Scope,
  scopeKey,
  type TotalKey,
  type ZoneTotals,
} from '../totals/total.ts';
import type { Totals } from '../totals/total-store.ts';
import { affectedScopes, type ChangedHour } from './company-totals.ts';

interface ComputeDeps {
  readonly facts: Facts;
  readonly totals: Totals;
}

/** Whose totals, in which run; `renew` keeps the claim, and throws when it was lost. */
interface Computation {
  readonly of: ZoneTotals;
  readonly run: number;
  renew(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Beyond it, reading every fact once costs less than reading affected days one by one. */
const DAYS_MAX = 31;
/** Scopes whose months are made at a time: up to 31 days of each are in memory. */
const SCOPES = 40;
/** People whose facts are read at a time. */
const PEOPLE = 200;
/** Facts of people that are kept in memory; if a time has more, they are read again, some people at a time. */
const KEPT_MAX = 10_000;

/** Makes every total of a time zone, month by month. */
export async function computeZone({ facts, totals }: ComputeDeps, { of, run, renew }: Computation): Promise<void> {
  const { companyId, kind, zone } = of;
  const span = await facts.span(companyId, kind);
  if (!span) return;
  const [first, last] = span.map((at) => localTime(zone, at.getTime()).date) as [string, string];
  for (let month = monthOf(first); month <= monthOf(last); month = monthOf(addDays(monthBounds(month)[1], 1))) {
    const [start, end] = monthBounds(month);
    const sums = daySums(zone);
    const times = [dayBounds(zone, start)[0], dayBounds(zone, end)[1]] as const;
    await addFacts(facts, of, times, sums);
    const days = sums.days();
    await totals.write(of, [...days, ...monthTotals(days)], [], run);
    await renew();
  }
  await totals.removeBefore(of, run);
}

/** Makes the totals again that changes of facts have affected. */
export async function computeChanged(
  deps: ComputeDeps,
  making: Computation,
  changed: readonly ChangedHour[],
): Promise<void> {
  const { facts, totals } = deps;
  const { of, run, renew } = making;
  const { kind, zone } = of;
  const byDate = affectedDays(zone, kind, changed);
  if (byDate.size > DAYS_MAX) return computeZone(deps, making);
  const months = new Map<string, Map<string, Scope>>();
  for (const [date, scopes] of byDate) {
    const sums = daySums(zone, (scope, day) => day === date && scopes.has(scopeKey(scope)));
    await addFacts(facts, of, dayBounds(zone, date), sums);
    const days = sums.days();
    const made = new Set(days.map(scopeKey));
    const emptied = [...scopes].filter((key) => !made.has(key)).map((key) => dayKey(scopeOf(key), date));
    await totals.write(of, days, emptied, run);
    const inMonth = months.get(monthOf(date)) ?? new Map<string, Scope>();
    for (const key of scopes) inMonth.set(key, scopeOf(key));
    months.set(monthOf(date), inMonth);
    await renew();
  }
  for (const [month, scopes] of months) {
    const dates = datesFrom(...monthBounds(month));
    const all = [...scopes.values()];
    for (let first = 0; first < all.length; first += SCOPES) {
      const some = all.slice(first, first + SCOPES);
      const days = await totals.daysOf(
        of,
        some.flatMap((scope) => dates.map((date) => dayKey(scope, date))),
      );
      const made = monthTotals(days);
      const found = new Set(made.map(scopeKey));
      const emptied = some.filter((scope) => !found.has(scopeKey(scope)));
      await totals.write(
        of,
        made,
        emptied.map((scope) => ({ ...scope, unit: 'month', period: month })),
        run,
      );
      await renew();
    }
  }
}

/** Adds the facts of a time: those of people with what follows from what else the person did. */
async function addFacts(
  facts: Facts,
  { companyId, kind, zone }: ZoneTotals,
  [startMs, endMs]: readonly [number, number],
  sums: DaySums,
): Promise<void> {
  const byPerson = new Map<string, Fact[]>();
  let kept = 0;
  for await (const fact of facts.between(companyId, kind, startMs, endMs)) {
    if (fact.person === undefined) {
      sums.add(fact);
      continue;
    }
    const own = byPerson.get(fact.person) ?? [];
    byPerson.set(fact.person, own);
    if (kept++ < KEPT_MAX) own.push(fact);
  }
  const isComplete = kept <= KEPT_MAX;
  const people = [...byPerson.keys()];
  for (let first = 0; first < people.length; first += PEOPLE) {
    const some = people.slice(first, first + PEOPLE);
    const untilMs = isComplete ? startMs : endMs;
    const earlier = await Array.fromAsync(facts.ofPeople(companyId, some, startMs - HISTORY_MS, untilMs));
    const histories = Map.groupBy(earlier, ({ person }) => person);
    for (const person of some) {
      const history = [...(histories.get(person) ?? []), ...(isComplete ? byPerson.get(person)! : [])];
      for (const { fact, added } of markHistory(history, zone)) if (fact.at.getTime() >= startMs) sums.add(fact, added);
    }
  }
}

/** The days of a time zone that the hours are in, and the scopes affected on each. */
function affectedDays(zone: string, kind: FactKind, changed: readonly ChangedHour[]): Map<string, Set<string>> {
  const byDate = new Map<string, Set<string>>();
  for (const change of changed) {
    if (change.kind !== kind) continue;
    // In a time zone with half hours, the days of its first and its last quarter may differ.
    for (const at of [change.hour, change.hour + HOUR_MS - 1]) {
      const { date } = localTime(zone, at);
      const scopes = byDate.get(date) ?? new Set();
      for (const scope of affectedScopes(change)) scopes.add(scope);
      byDate.set(date, scopes);
    }
  }
  return byDate;
}

const dayKey = (scope: Scope, period: string): TotalKey => ({ ...scope, unit: 'day', period });

function scopeOf(key: string): Scope {
  const [businessNumberId = '', employeeId = ''] = key.split('/');
  return { businessNumberId, employeeId };
}
