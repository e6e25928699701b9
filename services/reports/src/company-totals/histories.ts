import { LRUCache } from 'lru-cache';
import type { Facts } from '../facts/fact-store.ts';
import { type Countable, countedForm, type TrackedFact } from '../facts/fact.ts';
import { changesMarks, neededSince } from '../message-reports/needed-history.ts';
import { HISTORY_MS } from '../message-reports/person-history.ts';

/** What people did before and after facts that are counted now. */
export interface Histories {
  /** Every other fact that decides by how much these change totals of these time zones. */
  of(companyId: string, zones: readonly string[], counted: readonly TrackedFact[]): Promise<TrackedFact[]>;
}

/** People whose facts are read at a time. */
const PEOPLE = 200;
const DAY_MS = 86_400_000;
/** It has every weekday, and for most people every hour at which they are texted. */
const USUAL_MS = 8 * DAY_MS;
/** People are read together whose histories are about as long. */
const LENGTHS_MS = [3_600_000, DAY_MS, USUAL_MS];
/** People of whom is known how much of their history was needed the last time. */
const KNOWN_MAX = 100_000;

/** A person of whom facts are counted now. */
interface Person {
  readonly id: string;
  /** All forms of these facts, before and after. */
  readonly changes: (Countable & { readonly id: string })[];
  readonly fromMs: number;
  readonly toMs: number;
  /** From when on facts are read. */
  readonly sinceMs: number;
}

/**
 * Few facts of a person are needed, if any, so the latest ones are read first: as many as were needed the last time, or a
 * week of them. Only if they do not decide everything, such as at the first text in an hour of the day, older ones are read.
 */
export function openHistories(facts: Pick<Facts, 'ofPeople' | 'countedOfPeople'>): Histories {
  const lastNeeded = new LRUCache<string, number>({ max: KNOWN_MAX });

  return {
    async of(companyId, zones, counted) {
      const keyOf = ({ id }: Person) => `${companyId} ${id}`;
      const ids = new Set(counted.map(({ id }) => id));
      const found = new Map<string, TrackedFact>();
      let left = peopleOf(counted).map((person) => {
        const sinceMs = lastNeeded.get(keyOf(person)) ?? Infinity;
        return sinceMs < person.fromMs ? { ...person, sinceMs } : person;
      });
      // Those that became somebody else's a moment ago, such as by an erasure, are known by their earlier form only.
      for (let first = 0; first < left.length; first += PEOPLE) {
        const some = left.slice(first, first + PEOPLE).map(({ id }) => id);
        for await (const fact of facts.countedOfPeople(companyId, some)) found.set(fact.id, fact);
      }
      while (left.length > 0) {
        const undecided: Person[] = [];
        for (const group of groupsOf(left)) {
          const sinceMs = Math.min(...group.map((person) => person.sinceMs));
          const untilMs = Math.max(...group.map(({ toMs }) => toMs)) + HISTORY_MS;
          for await (const fact of facts.ofPeople(
            companyId,
            group.map(({ id }) => id),
            sinceMs,
            untilMs,
          ))
            found.set(fact.id, fact);
          const others = [...found.values()].flatMap((fact) => (ids.has(fact.id) ? [] : (countedForm(fact) ?? [])));
          const byPerson = Map.groupBy(others, ({ person }) => person);
          for (const person of group) {
            const known = byPerson.get(person.id) ?? [];
            const needed = zones.map((zone) => neededSince(person.changes, known, zone));
            const isDecided = needed.every((ms) => ms !== undefined);
            if (isDecided) lastNeeded.set(keyOf(person), Math.min(...needed));
            else if (sinceMs > person.fromMs - HISTORY_MS) undecided.push(longer(person));
          }
        }
        left = undecided;
      }
      return [...found.values()];
    },
  };
}

/** The people of whom a fact changes in a way that concerns others of their facts. */
function peopleOf(counted: readonly TrackedFact[]): Person[] {
  const changes = new Map<string, Person['changes']>();
  for (const fact of counted) {
    const before = countedForm(fact);
    if (!changesMarks(before, fact)) continue;
    for (const form of before ? [before, fact] : [fact]) {
      if (form.person === undefined) continue;
      const own = changes.get(form.person) ?? [];
      changes.set(form.person, own);
      own.push(form);
    }
  }
  return [...changes].map(([id, own]) => {
    const times = own.map(({ at }) => at.getTime());
    const fromMs = Math.min(...times);
    return { id, changes: own, fromMs, toMs: Math.max(...times), sinceMs: fromMs - USUAL_MS };
  });
}

function longer(person: Person): Person {
  const usualMs = person.fromMs - USUAL_MS;
  return { ...person, sinceMs: person.sinceMs > usualMs ? usualMs : person.fromMs - HISTORY_MS };
}

/** So that hardly more than the own history of each is read. */
function groupsOf(people: readonly Person[]): Person[][] {
  const latestMs = Math.max(...people.map(({ fromMs }) => fromMs));
  const byLength = Map.groupBy(people, ({ sinceMs }) => LENGTHS_MS.find((length) => latestMs - sinceMs <= length));
  return [...byLength.values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / PEOPLE) }, (_, n) => own.slice(n * PEOPLE, (n + 1) * PEOPLE)),
  );
}
