import type { Cell } from '../cells/cell.ts';
import type { Fact } from '../facts/fact.ts';
import { addDays, hourKey, localTime, weekdayOf } from '../totals/local-time.ts';
import { type ScopeCells, scopeKey, scopesOf } from '../totals/total.ts';

/** The longest period of a report; older days affect no figure. */
const DAYS = 400;
/** Enough for so many days of any time zone. */
export const HISTORY_MS = (DAYS + 2) * 86_400_000;

/** A fact with what it adds because of what the person did before. */
export interface MarkedFact {
  readonly fact: Fact;
  /** Keyed by `scopeKey`. */
  readonly added: ReadonlyMap<string, ScopeCells>;
}

/** When a person last texted in a scope: dates, and for hours also which of two that the clocks repeat. */
interface LastTexts {
  date?: string;
  readonly weekdays: Map<number, string>;
  readonly hours: Map<number, { readonly date: string; readonly key: string }>;
}

/**
 * The facts of one person. A person counts once in a report, so the first text of a day, of a weekday and of an hour has
 * the date of the one before as the key of a spread: in a report from a day on, the person is new where that date is earlier.
 */
export function markHistory(history: readonly Fact[], zone: string): MarkedFact[] {
  const inOrder = history.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  const lasts = new Map<string, LastTexts>();
  let asked: { readonly atMs: number; readonly date: string }[] = [];
  return inOrder.map((fact) => {
    const atMs = fact.at.getTime();
    const { date, ...localHour } = localTime(zone, atMs);
    const oldest = addDays(date, 1 - DAYS);
    if (fact.contact === 'asks') asked.push({ atMs, date });
    let responseSecs: number | undefined;
    if (fact.contact === 'responds') {
      const first = asked.find((one) => one.date >= oldest);
      if (first) responseSecs = Math.floor((atMs - first.atMs) / 1000);
      asked = [];
    }
    const isText = Object.keys(fact.cell.counts).length > 0;
    const added = scopesOf(fact).map((scope) => {
      const key = scopeKey(scope);
      const last = lasts.get(key) ?? { weekdays: new Map(), hours: new Map() };
      lasts.set(key, last);
      const news = isText ? textIn(last, date, localHour, oldest) : undefined;
      return [key, cellsOf(responseSecs, news)] as const;
    });
    return { fact, added: new Map(added) };
  });
}

/** The dates of the texts before, where this one is the first; `''` for none, or none that decides anything. */
interface FirstTexts {
  readonly day: string | undefined;
  readonly weekday: string | undefined;
  readonly hour: string | undefined;
}

function textIn(
  last: LastTexts,
  date: string,
  localHour: { readonly hour: number; readonly offsetMinutes: number },
  oldest: string,
): FirstTexts {
  const [weekday, { hour }, key] = [weekdayOf(date), localHour, hourKey(localHour)];
  const before = (other: string | undefined) => (other !== undefined && other >= oldest ? other : '');
  const lastHour = last.hours.get(hour);
  const isSameHour = lastHour?.date === date && lastHour.key === key;
  const first = {
    day: last.date === date ? undefined : before(last.date),
    weekday: last.weekdays.get(weekday) === date ? undefined : before(last.weekdays.get(weekday)),
    hour: isSameHour ? undefined : before(lastHour?.date),
  };
  last.date = date;
  last.weekdays.set(weekday, date);
  last.hours.set(hour, { date, key });
  return first;
}

function cellsOf(responseSecs: number | undefined, first: FirstTexts | undefined): ScopeCells {
  const cell = (keys: Readonly<Record<string, string | number | undefined>>): Cell => {
    const known = Object.entries(keys).filter(([, key]) => key !== undefined);
    return { counts: {}, spreads: Object.fromEntries(known.map(([name, key]) => [name, { [String(key)]: 1 }])) };
  };
  return {
    total: cell({ responses: responseSecs, people: first?.day, weekdayPeople: first?.weekday }),
    hour: cell({ responses: responseSecs, people: first?.hour }),
  };
}
