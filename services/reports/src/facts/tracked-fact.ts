import type { Fact } from './fact.ts';

/** What a fact adds to totals. */
export type Countable = Pick<Fact, 'at' | 'businessNumberId' | 'person' | 'contact' | 'employeeIds' | 'cell'>;

/** A fact, and how totals have it. */
export interface TrackedFact extends Fact {
  /** Since when, by the machine's clock, totals have it in an earlier form or not at all; null when they have it as it is. */
  readonly uncountedSince: Date | null;
  /** The form in which totals have it since then; null when they do not have it. */
  readonly countedAs: Countable | null;
  /** The last run that counted it; 0 when none did. */
  readonly countedRun: number;
}

export function countable({ at, businessNumberId, person, contact, employeeIds, cell }: Countable): Countable {
  return {
    at,
    businessNumberId,
    ...(person !== undefined && { person }),
    ...(contact !== undefined && { contact }),
    employeeIds,
    cell,
  };
}

/** Stores what `next` says, and what totals have until it is counted. */
export function trackChange(current: TrackedFact | undefined, next: Fact): TrackedFact {
  if (next === current) return current;
  if (!current) return { ...next, uncountedSince: next.storedAt, countedAs: null, countedRun: 0 };
  const { uncountedSince, countedAs, countedRun } = current;
  const changed = { ...next, uncountedSince, countedAs, countedRun };
  if (uncountedSince !== null || isSame(current, next)) return changed;
  return { ...changed, uncountedSince: next.storedAt, countedAs: countable(current) };
}

/** The fact as totals have it; undefined when they do not. */
export function countedForm(fact: TrackedFact): TrackedFact | undefined {
  if (fact.uncountedSince === null) return fact;
  const { person: _person, contact: _contact, countedAs, ...rest } = fact;
  return countedAs ? { ...rest, countedAs, ...countedAs } : undefined;
}

/** A run has counted the fact in this form; it may have changed meanwhile. A later run has the last word. */
export function setCounted(fact: TrackedFact, as: Countable, run: number): TrackedFact {
  if (fact.countedRun >= run) return fact;
  return isSame(fact, as)
    ? { ...fact, uncountedSince: null, countedAs: null, countedRun: run }
    : { ...fact, uncountedSince: fact.uncountedSince ?? fact.storedAt, countedAs: as, countedRun: run };
}

/** False also for a different order of names, which only costs another count. */
function isSame(one: Countable, other: Countable): boolean {
  return one === other || JSON.stringify(countable(one)) === JSON.stringify(countable(other));
}
