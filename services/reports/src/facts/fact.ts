import type { Cell } from '../cells/cell.ts';

export type FactKind = 'calls' | 'messages';

/** One call or text as it counts in reports: no name, no phone number. */
export interface Fact {
  readonly id: string;
  readonly companyId: string;
  readonly kind: FactKind;
  /** The moment it belongs to. */
  readonly at: Date;
  /** The event it was taken from, within its aggregate; 0 when it was read from its owner, or from another event. */
  readonly sequence: number;
  /** When it was read from its owner, by the machine's clock; null when it was taken from an event. */
  readonly readAt: Date | null;
  /** When it was stored, by the machine's clock. */
  readonly storedAt: Date;
  /** The call was lost: the caller left no voicemail, or what was announced as one had no audio. This is final. */
  readonly isLost?: boolean;
  readonly businessNumberId: string;
  /** A pseudonym of the external person of a text, a missed call or an outbound call; absent when the person is unknown. */
  readonly person?: string;
  /** The person asks for a response, or an employee responds. */
  readonly contact?: 'asks' | 'responds';
  /** It counts for each of them. */
  readonly employeeIds: readonly string[];
  /** The amounts that are added to totals. */
  readonly cell: Cell;
}

/** A count that events of voicemails say too, in any order with those of the call. */
const VOICEMAILS = 'voicemails';

/** Combines the stored fact with another event, which may arrive twice or late. */
export function mergeFacts(current: Fact | undefined, next: Fact): Fact {
  if (!current) return withVoicemails(next, next.isLost ? 0 : voicemailsOf(next));
  const latest = laterOf(current, next);
  if (current.isLost || next.isLost) return { ...withVoicemails(latest, 0), isLost: true };
  // The owner of a call knows of its voicemail before an event says so, and when it was withdrawn.
  const isRead = next.readAt !== null && latest !== current;
  return withVoicemails(latest, isRead ? voicemailsOf(next) : Math.max(voicemailsOf(current), voicemailsOf(next)));
}

const voicemailsOf = ({ cell }: Fact): number => cell.counts[VOICEMAILS] ?? 0;

function withVoicemails(fact: Fact, voicemails: number): Fact {
  if (voicemailsOf(fact) === voicemails) return fact;
  const { [VOICEMAILS]: _, ...others } = fact.cell.counts;
  const counts = voicemails === 0 ? others : { ...others, [VOICEMAILS]: voicemails };
  return { ...fact, cell: { ...fact.cell, counts } };
}

/** The owner's state replaces what was stored before it was read; later events still count. */
function laterOf(current: Fact, next: Fact): Fact {
  if (next.readAt !== null) return current.storedAt < next.readAt ? { ...next, sequence: current.sequence } : current;
  return next.sequence > current.sequence ? next : current;
}

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
