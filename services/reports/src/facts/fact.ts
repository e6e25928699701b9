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
