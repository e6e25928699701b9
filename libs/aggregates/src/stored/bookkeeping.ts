import type { Actor } from '@parley/actor';
import type { CompanyEntity, StoredDocument } from './stored-document.ts';
import type { Binary, Document } from 'mongodb';
import { newId } from '@parley/secrets';
import type { Due, TimerChanges } from '@parley/errors';

/** The right to work on a document, or on a part of it, until a time by the machine's clock; then it is free. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

export function newLease(leaseMs: number, owner = newId('lease')): Lease {
  return { owner, until: new Date(Date.now() + leaseMs) };
}

export function isFree(lease: Lease | null | undefined, now = new Date()): boolean {
  return !lease || lease.until < now;
}

/** Documents whose lease in a field is free. */
export function freeLease(field: string, now = new Date()): Document {
  return { $or: [{ [field]: null }, { [`${field}.until`]: { $lt: now } }] };
}

/** An event that waits inside its aggregate's document until the relay has published it. */
export interface OutboxEntry {
  id: string;
  type: string;
  sequence: number;
  occurredAt: Date;
  traceparent: string | null;
  data: Binary;
  /** Absent when the service itself caused it. */
  actor?: Actor;
  /** Stored as JSON, because names of its fields could be operators of MongoDB. */
  audit?: string;
}

/** The outbox's fields of an aggregate's document. */
export interface Bookkeeping {
  /** The number of events of the aggregate, by noun: the next one's sequence is one more. */
  _eventCounts: Record<string, number>;
  _outbox: OutboxEntry[];
  /** Set while `_outbox` holds something; the sweep's index holds only those documents. */
  _pendingSince?: Date;
  /** The process that publishes the entries, by the machine's clock. Only one publishes at a time, so that they leave in order. */
  _relay: Lease | null;
  /** Absent when there are none, like the rest below. */
  _commands?: CommandEntry[];
  /** When another process should look for commands without a lease, by the machine's clock. */
  _takeAt?: Date;
  _timers?: TimerEntry[];
  /** The earliest timer or retry, by the product's clock. */
  _dueAt?: Date;
}

/** An aggregate as a program sees it. */
export type Aggregate = CompanyEntity;

/** An aggregate as it is stored: `_id` for `id`, its own fields, the bookkeeping. */
export type Stored<State extends Aggregate> = { _id: string } & Omit<State, 'id'> &
  Bookkeeping &
  Pick<StoredDocument, '_version' | '_stamps' | '_deleted'>;

/** The required values of a document, by path; null also stands for absent. */
export type Guard = Readonly<Record<string, string | number | boolean | null>>;

/** The fields that the outbox adds to the write of a document; their names begin with an underscore. */
export interface BookkeepingWrite {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  /** Appended to arrays that unversioned writes change as well. */
  readonly push?: Readonly<Record<string, readonly unknown[]>>;
  /** Conditions of the write besides the document's version. */
  readonly guard?: Guard;
  /** The owner of the lease under which this process publishes the document's events after the write. */
  readonly publishAs?: string;
  /** The write is reported as done once this event is published. */
  readonly awaitedEvent?: string;
  /** Commands or timers have changed, which this process may work on. */
  readonly hasLocalWork?: boolean;
}

/** A named timer inside its aggregate's document. */
export interface TimerEntry extends Due {
  name: string;
  /** Failed attempts of its handler. */
  failures: number;
}

/** The timers after a decision's changes. */
export function changeTimers(timers: readonly TimerEntry[], changes: TimerChanges<string>): readonly TimerEntry[] {
  const names = Object.keys(changes).filter((name) => changes[name] !== undefined);
  if (names.length === 0) return timers;
  const kept = timers.filter(({ name }) => !names.includes(name));
  const set = names.flatMap((name) => {
    const due = changes[name];
    return due ? [{ name, at: due.at, waitMs: due.waitMs, failures: 0 }] : [];
  });
  return [...kept, ...set];
}

/** The timers that are due, longest due first. */
export function dueTimers(timers: readonly TimerEntry[], now: Date): TimerEntry[] {
  return timers.filter(({ at }) => at <= now).toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Exponential backoff, at most ten minutes. */
export function retryWaitMs(failures: number): number {
  return Math.min(1000 * 2 ** Math.max(failures - 1, 0), 600_000);
}

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
