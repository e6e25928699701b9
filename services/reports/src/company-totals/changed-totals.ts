import { countedForm, type TrackedFact } from '../facts/fact.ts';
import { type MarkedFact, markHistory } from '../message-reports/person-history.ts';
import { changesSomething, type DaySums, daySums, monthTotals, type Total } from '../totals/total.ts';

/** A fact of a person before and after it is counted. */
interface Views {
  readonly before: TrackedFact[];
  readonly after: TrackedFact[];
  /** The first fact that changes: what is older adds the same before and after. */
  sinceMs: number;
}

/**
 * By how much facts that are counted now change the totals of a time zone. `histories`: all other facts of their people that may
 * matter (`neededSince`), of which only those as totals have them do.
 */
export function changedTotals(
  zone: string,
  counted: readonly TrackedFact[],
  histories: readonly TrackedFact[],
): Total[] {
  const sums = daySums(zone);
  const people = new Map<string, Views>();
  const viewsOf = (person: string) => {
    const views = people.get(person) ?? { before: [], after: [], sinceMs: Infinity };
    people.set(person, views);
    return views;
  };
  const change = (view: 'before' | 'after', person: string, fact: TrackedFact) => {
    const views = viewsOf(person);
    views[view].push(fact);
    views.sinceMs = Math.min(views.sinceMs, fact.at.getTime());
  };
  for (const fact of counted) {
    const before = countedForm(fact);
    if (before?.person !== undefined) change('before', before.person, before);
    else if (before) sums.add(before, undefined, -1);
    if (fact.person !== undefined) change('after', fact.person, fact);
    else sums.add(fact);
  }
  const ids = new Set(counted.map(({ id }) => id));
  for (const stored of histories) {
    const fact = ids.has(stored.id) ? undefined : countedForm(stored);
    const views = fact?.person === undefined ? undefined : people.get(fact.person);
    if (!fact || !views) continue;
    views.before.push(fact);
    views.after.push(fact);
  }
  for (const views of people.values()) addDifference(sums, views, zone);
  const days = sums.days();
  return [...days, ...monthTotals(days)].filter(changesSomething);
}

/** One fact more changes what the later ones of the person add. */
function addDifference(sums: DaySums, { before, after, sinceMs }: Views, zone: string): void {
  const earlier = new Map(markHistory(before, zone, sinceMs).map((marked) => [marked.fact.id, marked]));
  for (const marked of markHistory(after, zone, sinceMs)) {
    const replaced = earlier.get(marked.fact.id);
    earlier.delete(marked.fact.id);
    if (replaced && isSameContribution(replaced, marked)) continue;
    if (replaced) sums.add(replaced.fact, replaced.added, -1);
    sums.add(marked.fact, marked.added);
  }
  for (const { fact, added } of earlier.values()) sums.add(fact, added, -1);
}

function isSameContribution(one: MarkedFact, other: MarkedFact): boolean {
  return one.fact === other.fact && JSON.stringify([...one.added]) === JSON.stringify([...other.added]);
}
