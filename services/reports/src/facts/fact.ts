import type { Cell } from '../cells/cell.ts';

/** What a report is about. */
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
  readonly businessNumberId: string;
  /** It counts for each of them. */
  readonly employeeIds: readonly string[];
  /** What it adds to totals. */
  readonly cell: Cell;
}

/** A count that other events than those of the call say, and that never goes back. */
const LASTING = 'voicemails';

/** What is known after another event, which may come twice or late. */
export function mergeFacts(current: Fact | undefined, next: Fact): Fact {
  if (!current) return next;
  const latest = laterOf(current, next);
  const lasting = Math.max(current.cell.counts[LASTING] ?? 0, next.cell.counts[LASTING] ?? 0);
  if ((latest.cell.counts[LASTING] ?? 0) === lasting) return latest;
  return { ...latest, cell: { ...latest.cell, counts: { ...latest.cell.counts, [LASTING]: lasting } } };
}

/** What the owner has replaces what was stored before it was read; later events still count. */
function laterOf(current: Fact, next: Fact): Fact {
  if (next.readAt !== null) return current.storedAt < next.readAt ? { ...next, sequence: current.sequence } : current;
  return next.sequence > current.sequence ? next : current;
}
