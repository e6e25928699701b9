import type { Countable } from '../facts/fact.ts';
import { localTime, weekdayOf } from '../totals/local-time.ts';
import { scopeKey, scopesOf } from '../totals/total.ts';

type DatedFact = Countable & { readonly id: string };

/** The latest known texts of a scope: of any day, of each weekday and of each hour of the day. */
interface KnownTexts {
  latestMs?: number;
  readonly weekdays: Map<number, number>;
  readonly hours: Map<number, number>;
}

/**
 * From when on the history of a person decides by how much these changes of facts change totals (`markHistory`); undefined if that is
 * before everything that is known. `changes`: all forms, before and after, of facts whose marks change. `known`: the other facts
 * of the person from some time on. What is older changes the marks of all other facts in the same way before and after.
 */
export function neededSince(
  changes: readonly DatedFact[],
  known: readonly DatedFact[],
  zone: string,
): number | undefined {
  const texts = new Map<string, KnownTexts>();
  const contacts: { askedMs?: number; respondedMs?: number } = {};
  const steps = [
    ...known.map((fact) => ({ fact, isChange: false })),
    ...changes.map((fact) => ({ fact, isChange: true })),
  ].toSorted(({ fact: one }, { fact: other }) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1));
  let sinceMs = Infinity;
  for (const { fact, isChange } of steps) {
    const atMs = fact.at.getTime();
    const places = placesOf(fact, zone);
    if (!isChange) {
      if (fact.contact === 'asks') contacts.askedMs = atMs;
      if (fact.contact === 'responds') contacts.respondedMs = atMs;
      for (const { key, weekday, hour } of places) {
        const own: KnownTexts = texts.get(key) ?? { weekdays: new Map(), hours: new Map() };
        texts.set(key, own);
        own.latestMs = atMs;
        own.weekdays.set(weekday, atMs);
        own.hours.set(hour, atMs);
      }
      continue;
    }
    const needed = places.flatMap(({ key, weekday, hour }) => {
      const own = texts.get(key);
      return [own?.latestMs, own?.weekdays.get(weekday), own?.hours.get(hour)];
    });
    // A response is to the first request after the one before it; another request changes nothing while one is open.
    if (fact.contact === 'responds') needed.push(contacts.respondedMs);
    if (fact.contact === 'asks') needed.push(laterOf(contacts.askedMs, contacts.respondedMs));
    for (const ms of needed) {
      if (ms === undefined) return undefined;
      sinceMs = Math.min(sinceMs, ms);
    }
  }
  return sinceMs;
}

/** Where a text may be the first one of its person; nothing for calls. */
function placesOf(fact: DatedFact, zone: string) {
  if (Object.keys(fact.cell.counts).length === 0) return [];
  const { date, hour } = localTime(zone, fact.at.getTime());
  const weekday = weekdayOf(date);
  return scopesOf(fact).map((scope) => ({ key: scopeKey(scope), weekday, hour }));
}

function laterOf(one: number | undefined, other: number | undefined): number | undefined {
  return one !== undefined && other !== undefined ? Math.max(one, other) : (one ?? other);
}

/** False for a change after which a fact has the same marks as before, such as that of a text's status. */
export function changesMarks(before: Countable | undefined, after: Countable): boolean {
  if (!before) return true;
  return marked(before) !== marked(after);
}

const marked = ({ at, businessNumberId, person, contact, employeeIds, cell }: Countable): string =>
  JSON.stringify([at.getTime(), businessNumberId, person, contact, employeeIds, Object.keys(cell.counts).length > 0]);
