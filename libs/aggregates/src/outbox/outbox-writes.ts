import { auditOf, currentActor } from '@parley/actor';
import type { Clock } from '@parley/clock';
import { nounOf } from '@parley/events';
import { newId } from '@parley/ids';
import type { ExtraWrite } from '../writes/document-writer.ts';
import type { StoredDocument } from '../writes/stored-document.ts';
import { currentTraceparent } from '@parley/telemetry';
import { Binary, type Collection } from 'mongodb';
import type { Aggregate, Bookkeeping, OutboxEntry, Stored } from '../bookkeeping/bookkeeping.ts';
import type { Relay } from '../relay/relay.ts';

/** An event as bytes: its type and the binary form of the type's message. */
export interface EncodedEvent {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Well below what NATS takes: an event that cannot be published must not be stored either. */
const EVENT_BYTES_MAX = 512 * 1024;

/** Writes of events into the documents that they are about. */
export interface OutboxWrites<Event> {
  /** Undefined when there is nothing to write. */
  write(before: StoredDocument | undefined, deleted: boolean, events: readonly Event[]): ExtraWrite | undefined;
}

export function outboxWrites<Event>(options: {
  collection: Collection<Stored<Aggregate>>;
  relay: Relay;
  clock: Clock;
  encode: (event: Event) => EncodedEvent;
  /** A write is reported as done once its events are published. */
  announced: boolean;
  /** The entries published under the lease of this owner were removed from the document, and the lease was released. */
  onCleared: (id: string, owner: string) => void;
}): OutboxWrites<Event> {
  const { collection, relay, clock, encode, announced, onCleared } = options;

  /** Entries with their sequences, and the counts that follow from them. */
  function entriesOf(events: readonly Event[], before: Record<string, number>) {
    const counts = { ...before };
    const actor = currentActor();
    const entries = events.map((event): OutboxEntry => {
      const { type, data } = encode(event);
      if (data.byteLength > EVENT_BYTES_MAX) throw new Error(`${type} of ${data.byteLength} bytes is too large`);
      const sequence = (counts[nounOf(type)] ?? 0) + 1;
      counts[nounOf(type)] = sequence;
      const traceparent = currentTraceparent() ?? null;
      const audit = auditOf(event);
      return {
        id: newId('evt'),
        type,
        sequence,
        occurredAt: clock.now(),
        traceparent,
        data: new Binary(data),
        ...(actor && { actor }),
        ...(audit && { audit: JSON.stringify(audit) }),
      };
    });
    return { entries, counts };
  }

  function afterWrite(owner: string | undefined, entries: readonly OutboxEntry[]): Pick<ExtraWrite, 'onWritten'> {
    const last = announced ? entries.at(-1) : undefined;
    if (owner === undefined && !last) return {};
    return {
      onWritten(written) {
        const published = last && relay.published(last.id);
        if (owner !== undefined)
          relay.publish(collection, written as unknown as Stored<Aggregate>, owner, () =>
            onCleared(written._id, owner),
          );
        return published;
      },
    };
  }

  return {
    write(stored, deleted, events) {
      // A tombstone without events needs the relay as well: it is the one that removes it.
      const needsRelay = events.length > 0 || deleted;
      if (!stored) {
        const { entries, counts } = entriesOf(events, {});
        const lease = needsRelay ? relay.lease() : null;
        return {
          set: {
            _eventCounts: counts,
            _outbox: entries,
            _relay: lease,
            ...(lease && { _pendingSince: new Date() }),
          },
          ...afterWrite(lease?.owner, entries),
        };
      }
      if (!needsRelay) return undefined;
      // Documents that had no events in an earlier version are without the bookkeeping.
      const before = stored as unknown as Partial<Bookkeeping>;
      const { entries, counts } = entriesOf(events, before._eventCounts ?? {});
      const free = !before._relay || before._relay.until < new Date();
      const lease = free ? relay.lease() : null;
      return {
        set: {
          _eventCounts: counts,
          ...(before._pendingSince === undefined && { _pendingSince: new Date() }),
          ...(lease && { _relay: lease }),
        },
        push: { _outbox: entries },
        // The process that holds the lease publishes these too, unless it has finished meanwhile: then they would have no owner.
        guard: { '_relay.owner': before._relay?.owner ?? null },
        ...afterWrite(lease?.owner, entries),
      };
    },
  };
}

/** A document whose entries, published under the lease of this owner, were cleared. */
export function clearedOutbox(stored: StoredDocument, owner: string): StoredDocument {
  const { _relay, _pendingSince: _, ...rest } = stored as StoredDocument & Bookkeeping;
  return _relay?.owner === owner ? { ...rest, _outbox: [], _relay: null } : stored;
}
