import type { Cell } from '../cells/cell.ts';
import type { Fact } from '../facts/fact.ts';
import { addDays, hourKey, type LocalTime, localTime, weekdayOf } from '../totals/local-time.ts';
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
 * The facts of one person, from a time on. A person counts once in a report, so the first text of a day, of a weekday and of an hour has
 * the date of the one before as the key of a spread: in a report from a day on, the person is new where that date is earlier.
 */
export function markHistory(history: readonly Fact[], zone: string, sinceMs = -Infinity): MarkedFact[] {
  const inOrder = history.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  const lasts = new Map<string, LastTexts>();
  let asked: { readonly atMs: number; readonly date: string }[] = [];
  const marked: MarkedFact[] = [];
  for (const fact of inOrder) {
    const atMs = fact.at.getTime();
    const local = localTime(zone, atMs);
    const { date } = local;
    const oldest = atMs >= sinceMs ? addDays(date, 1 - DAYS) : undefined;
    if (fact.contact === 'asks') asked.push({ atMs, date });
    let responseSecs: number | undefined;
    if (fact.contact === 'responds') {
      const first = oldest === undefined ? undefined : asked.find((one) => one.date >= oldest);
      if (first) responseSecs = Math.floor((atMs - first.atMs) / 1000);
      asked = [];
    }
    const isText = Object.keys(fact.cell.counts).length > 0;
    const added = new Map<string, ScopeCells>();
    for (const key of scopesOf(fact).map(scopeKey)) {
      const last = lasts.get(key) ?? { weekdays: new Map(), hours: new Map() };
      lasts.set(key, last);
      if (oldest !== undefined)
        added.set(key, cellsOf(responseSecs, isText ? firstsOf(last, local, oldest) : undefined));
      if (isText) noteText(last, local);
    }
    if (oldest !== undefined) marked.push({ fact, added });
  }
  return marked;
}

/** The dates of the texts before, where this one is the first; `''` for none, or none that decides anything. */
interface FirstTexts {
  readonly day: string | undefined;
  readonly weekday: string | undefined;
  readonly hour: string | undefined;
}

function firstsOf(last: LastTexts, local: LocalTime, oldest: string): FirstTexts {
  const { date, hour } = local;
  const before = (other: string | undefined) => (other !== undefined && other >= oldest ? other : '');
  const [lastOfWeekday, lastOfHour] = [last.weekdays.get(weekdayOf(date)), last.hours.get(hour)];
  const isSameHour = lastOfHour?.date === date && lastOfHour.key === hourKey(local);
  return {
    day: last.date === date ? undefined : before(last.date),
    weekday: lastOfWeekday === date ? undefined : before(lastOfWeekday),
    hour: isSameHour ? undefined : before(lastOfHour?.date),
  };
}

function noteText(last: LastTexts, local: LocalTime): void {
  const { date, hour } = local;
  last.date = date;
  last.weekdays.set(weekdayOf(date), date);
  last.hours.set(hour, { date, key: hourKey(local) });
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
