import type { Actor } from '@parley/actor';
import type { CompanyEntity, StoredDocument } from '../writes/stored-document.ts';
import type { Binary } from 'mongodb';
import type { CommandEntry } from './command-entries.ts';
import type { TimerEntry } from './timer-entries.ts';

/** An event that waits inside its aggregate's document until the relay has published it. */
export interface OutboxEntry {
  id: string;
  type: string;
  sequence: number;
  occurredAt: Date;
  traceparent: string | null;
  data: Binary;
  /** Who caused it; absent when it was the service itself. */
  actor?: Actor;
  /** As JSON: names and values of its fields are not for MongoDB to interpret. */
  audit?: string;
}

/** What the outbox keeps in an aggregate's document. */
export interface Bookkeeping {
  /** How many events the aggregate has had, by their noun: the next one's sequence is one more. */
  _eventCounts: Record<string, number>;
  _outbox: OutboxEntry[];
  /** Set while `_outbox` holds something; the sweep's index holds only those documents. */
  _pendingSince?: Date;
  /** Who publishes the entries now, by the machine's clock. One at a time, so that they leave in order. */
  _relay: { owner: string; until: Date } | null;
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
