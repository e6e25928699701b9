import type { Binary } from 'mongodb';

/** An event that waits inside its aggregate's document until the relay has carried it away. */
export interface OutboxEntry {
  id: string;
  type: string;
  sequence: number;
  occurredAt: Date;
  traceparent: string | null;
  data: Binary;
}

/** What the mechanism keeps beside an aggregate's own fields; the underscore keeps the two apart. */
export interface Bookkeeping {
  /** Grows by one with every write; a write decided on an older one is decided again. */
  _version: number;
  /** How many events the aggregate has had, by their noun: the next one's sequence is one more. */
  _eventCounts: Record<string, number>;
  _outbox: OutboxEntry[];
  /** Set while `_outbox` holds something; the sweep's index holds only those documents. */
  _pendingSince?: Date;
  /** Who carries the entries away now, by the machine's clock. One at a time, so that they leave in order. */
  _relay: { owner: string; until: Date } | null;
  /** Marks of the last few writes, so that one whose answer was lost is recognised as done. */
  _stamps: string[];
  /** A deleted aggregate stays as a tombstone until its last event is out. */
  _deleted: boolean;
}

/** An aggregate as a program sees it. */
export interface Aggregate {
  readonly id: string;
  readonly companyId: string;
}

/** An aggregate as it is stored: `_id` for `id`, its own fields, the bookkeeping. */
export type Stored<State extends Aggregate> = { _id: string } & Omit<State, 'id'> & Bookkeeping;

/** Left out when an aggregate is read for its state only. */
export const stateOnly = {
  _version: 0,
  _eventCounts: 0,
  _outbox: 0,
  _pendingSince: 0,
  _relay: 0,
  _stamps: 0,
  _deleted: 0,
} as const;

/** An aggregate as a program sees it, from what is stored. */
export function toState<State extends Aggregate>(stored: { _id: string }): State {
  const { _id, _version, _eventCounts, _outbox, _pendingSince, _relay, _stamps, _deleted, ...fields } =
    stored as Stored<State>;
  return { id: _id, ...fields } as unknown as State;
}

/** An aggregate's own fields; what is undefined is not there. */
export function toFields<State extends Aggregate>(state: State): Omit<State, 'id'> {
  const { id: _, ...fields } = state;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Omit<State, 'id'>;
}

/**
 * What has to be written to make the one into the other. A plain value that did not change is left alone: somebody may
 * change it beside the decisions, as due work does with its lease.
 */
export function changesBetween(
  current: Aggregate,
  next: Aggregate | null,
): { set: Record<string, unknown>; unset: Record<string, ''> } {
  const before: Record<string, unknown> = toFields(current);
  // Of a deleted aggregate nothing stays but whose it was.
  const after: Record<string, unknown> = next === null ? { companyId: current.companyId } : toFields(next);
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== before[name] || (typeof value === 'object' && value !== null),
  );
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return { set: Object.fromEntries(changed), unset: Object.fromEntries(gone.map((name) => [name, ''])) };
}
