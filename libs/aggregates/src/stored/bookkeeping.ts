import type { Actor } from '@parley/actor';
import type { Lease } from './lease.ts';
import type { CompanyEntity, StoredDocument } from './stored-document.ts';
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
