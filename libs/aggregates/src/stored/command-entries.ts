import type { Due } from '@parley/errors';
import { newId } from '@parley/secrets';
import { isFree, type Lease } from './lease.ts';

/** A command of a decision: its kind selects the handler, the rest is for the handler. */
export interface AnyCommand {
  readonly kind: string;
}

/** A command that waits inside its aggregate's document until its outcome has been written down. */
export interface CommandEntry {
  /** The same for every attempt: what an executor recognises a repetition by. */
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  createdAt: Date;
  traceparent: string | null;
  /** Attempts that have failed or ended with their process. */
  attempts: number;
  /** Set before an `at_most_once` command is executed. */
  startedAt: Date | null;
  /** The process that executes it, and until when by the machine's clock. */
  lease: Lease | null;
  /** When a failed one is tried again, by the product's clock. */
  retry: Due | null;
}

/** For documents whose commands all wait for a retry: they need not be polled. */
const NEVER = new Date(8.64e15);

/** True when later commands of the document wait for this kind. */
export type IsOrdered = (kind: string) => boolean;

export function newEntry({ kind, ...payload }: AnyCommand, traceparent: string | null): CommandEntry {
  return {
    id: newId('cmd'),
    kind,
    payload,
    createdAt: new Date(),
    traceparent,
    attempts: 0,
    startedAt: null,
    lease: null,
    retry: null,
  };
}

/** The command as it was decided. */
export function commandOf({ kind, payload }: CommandEntry): AnyCommand {
  return { ...payload, kind };
}

/** Those that do not wait for an earlier one. */
function unblocked(entries: readonly CommandEntry[], isOrdered: IsOrdered): CommandEntry[] {
  const first = entries.findIndex(({ kind }) => isOrdered(kind));
  return first < 0 ? [...entries] : entries.slice(0, first + 1);
}

/** Those that a process may take now: not blocked, not waiting for a retry, and not leased. */
export function commandsToTake(entries: readonly CommandEntry[], isOrdered: IsOrdered, now: Date): CommandEntry[] {
  return unblocked(entries, isOrdered).filter(({ lease, retry }) => retry === null && isFree(lease, now));
}

/** When, by the machine's clock, another process should look at the document: the lease of one of its commands may have expired then. */
export function takeAt(entries: readonly CommandEntry[], isOrdered: IsOrdered): Date | undefined {
  if (entries.length === 0) return undefined;
  return unblocked(entries, isOrdered)
    .filter(({ retry }) => retry === null)
    .map(({ lease, createdAt }) => lease?.until ?? createdAt)
    .reduce((earliest, at) => (at < earliest ? at : earliest), NEVER);
}
