import type { Counter } from '@opentelemetry/api';
import { type BackgroundWork, withTimeout } from '@parley/clock';
import type { StoredDocument } from '../stored/stored-document.ts';
import { type AggregateCollection, isRemovable, type PendingDocument, pendingDocuments } from './pending-documents.ts';
import type { PublishedOutboxes } from './published-outboxes.ts';
import type { Actor, AuditEntry } from '@parley/actor';
import type { Broker, Event } from '@parley/events';
import { batch, batching, sharedResult } from '@parley/queues';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { EventLog } from './event-log.ts';
import { LRUCache } from 'lru-cache';

/** `cleared`: the outbox is empty and the lease is released. `removed`: so is the document, a tombstone. `failed`: a sweep tries again. */
export type PublishOutcome = 'cleared' | 'removed' | 'postponed' | 'failed';

/** A document whose company has used up its budget is postponed by this long at most. */
export const POSTPONE_MS_MAX = 10_000;

/** Publishes the outboxes of a collection, each until it is empty. */
export type OutboxPublisher = ReturnType<typeof outboxPublisher>;

export function outboxPublisher(options: {
  collection: AggregateCollection;
  published: PublishedOutboxes;
  events: EventPublisher;
  budget: PublishBudget;
  backgroundWork: BackgroundWork;
  postponed: Counter;
  /** False while nothing can be published. */
  isOpen: () => boolean;
  /** Events were left in a document for the sweep. */
  expectSweep: () => void;
  onError: (error: unknown, id: string) => void;
}) {
  const { published, events, budget, backgroundWork, postponed, isOpen, expectSweep, onError } = options;
  const pending = pendingDocuments(options.collection);
  const running = new Set<Promise<unknown>>();

  /** Until the outbox is empty: other writes may add events meanwhile. */
  async function publishAll(document: PendingDocument, owner: string): Promise<PublishOutcome> {
    for (let left: PendingDocument | null = document; left;) {
      const waitMs = budget.take(left.companyId, left._outbox.length, bytesOf(left));
      if (waitMs > 0) {
        postponed.add(left._outbox.length);
        expectSweep();
        await pending.postpone(left._id, owner, Math.min(waitMs, POSTPONE_MS_MAX));
        return 'postponed';
      }
      await events.publish(left);
      published.onPublished(left, owner);
      if (isRemovable(left) && (await pending.removeTombstone(left._id, owner))) return 'removed';
      left = await removeEntries(left, owner);
    }
    return 'cleared';
  }

  /** Removes published events from their document; the document if there is more to publish. */
  async function removeEntries(document: PendingDocument, owner: string): Promise<PendingDocument | null> {
    const removed = document._deleted ? 'kept' : await published.removed(document._id, owner);
    return removed === 'kept' ? pending.clear(document, owner) : removed;
  }

  async function publishOrRelease(document: PendingDocument, owner: string): Promise<PublishOutcome> {
    try {
      if (isOpen()) return await backgroundWork.during(() => publishAll(document, owner));
    } catch (error) {
      onError(error, document._id);
    }
    expectSweep();
    // If that fails too, the lease expires.
    await pending.release(document._id, owner).catch(() => undefined);
    return 'failed';
  }

  function publish(document: PendingDocument, owner: string): Promise<PublishOutcome> {
    const work = publishOrRelease(document, owner).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  return {
    pending,
    /** Publishes under the lease that the last write took; `written` is as it was written. Never rejects. */
    async publish(written: StoredDocument, owner: string): Promise<PublishOutcome> {
      published.begin(written, owner);
      const outcome = await publish(written as unknown as PendingDocument, owner);
      published.end(written._id, owner);
      return outcome;
    },
    /** Publishes the events of a document that has no owner; false when that was not possible. */
    async takeOver(id: string): Promise<boolean> {
      const claimed = await pending.claim(id);
      return claimed !== undefined && (await publish(claimed.document, claimed.owner)) !== 'failed';
    },
    async stop(): Promise<void> {
      published.removeAtOnce();
      await Promise.allSettled(running);
    },
  };
}

function bytesOf({ _outbox }: PendingDocument): number {
  return _outbox.reduce((sum, { data }) => sum + data.length(), 0);
}

/** A request is answered after this time even if its events could not be published; cached answers that they drop are then used until they expire. */
const PUBLISHED_WAIT_MS = 1000;

/** Logs and publishes the events in outboxes. */
export type EventPublisher = ReturnType<typeof eventPublisher>;

export function eventPublisher(options: { service: string; log: EventLog; broker: Broker; telemetry: Telemetry }) {
  const { service, log, broker, telemetry } = options;
  const delay = telemetry.meter.createHistogram('parley_event_publish_delay_seconds', { unit: 's' });
  /** Callbacks of those who wait for the publication of an event, by its id. */
  const waiting = new Map<string, () => void>();
  const logging = new Set<Promise<unknown>>();
  /** Events of many documents are logged by one write. */
  const addBatch = batch(
    sharedResult((batches: readonly (readonly Event[])[]) => log.add(batches.flat())),
    batching.eventLog,
  );

  function addToLog(events: readonly Event[]): Promise<unknown> {
    const adding = addBatch(events).finally(() => logging.delete(adding));
    logging.add(adding);
    return adding;
  }

  async function publishInOrder(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      const span = {
        kind: SpanKind.PRODUCER,
        parent: contextFrom(event.traceparent),
        attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      };
      await telemetry.span(`publish ${event.type}`, span, () => broker.publish(event));
    }
    for (const { id } of events) waiting.get(id)?.();
  }

  return {
    /**
     * Both at once: until both are done the events stay in the document, so a crash in between repeats them. What was published and
     * is not logged yet cannot be missing after a loss of the stream, because filling it waits for the log.
     */
    async publish(document: PendingDocument): Promise<void> {
      const events = eventsOf(document, service);
      if (events.length === 0) return;
      const publishing = publishInOrder(events).then(() => {
        const { _pendingSince: since } = document;
        // Both times are the machine's.
        if (since) delay.record(Math.max(0, Date.now() - since.getTime()) / 1000);
      });
      await Promise.all([addToLog(events), publishing]);
    },
    /** Resolves once the event is published, or after `PUBLISHED_WAIT_MS`. */
    published(eventId: string): Promise<void> {
      const done = new Promise<void>((resolve) => waiting.set(eventId, resolve));
      return withTimeout(PUBLISHED_WAIT_MS, done).finally(() => waiting.delete(eventId));
    },
    /** Resolves when what is being logged now is in the log. */
    logged: () => Promise.allSettled(logging),
  };
}

export function eventsOf({ _id, companyId, _outbox }: PendingDocument, service: string): Event[] {
  const self: Actor = { type: 'system', id: service, name: service };
  return _outbox.map((entry) => ({
    id: entry.id,
    type: entry.type,
    companyId,
    aggregateId: _id,
    aggregateSequence: entry.sequence,
    occurredAt: entry.occurredAt,
    traceparent: entry.traceparent ?? undefined,
    data: entry.data.buffer,
    actor: entry.actor ?? self,
    ...(entry.audit !== undefined && { audit: JSON.parse(entry.audit) as AuditEntry<string> }),
  }));
}

/** Per company. */
interface PublishBudgetLimits {
  readonly eventsBurst: number;
  readonly eventsPerSec: number;
  readonly bytesBurst: number;
  readonly bytesPerSec: number;
}

/** The budget of one company: a large import takes minutes, and one company cannot fill the stream in an hour. */
const DEFAULT_LIMITS: PublishBudgetLimits = {
  eventsBurst: 20_000,
  eventsPerSec: 200,
  bytesBurst: 32 * 1024 * 1024,
  bytesPerSec: 128 * 1024,
};

const COMPANIES_MAX = 50_000;

export type PublishBudget = ReturnType<typeof openPublishBudget>;

interface Account {
  events: number;
  bytes: number;
  at: number;
}

/**
 * Limits what a company publishes through this process, so that a stream has capacity for the events of the others.
 *
 * A token bucket per company. What exceeds a whole burst is let through when the bucket is full.
 */
export function openPublishBudget(
  limits: PublishBudgetLimits = DEFAULT_LIMITS,
  elapsedMs: () => number = () => performance.now(),
) {
  const { eventsBurst, eventsPerSec, bytesBurst, bytesPerSec } = limits;
  // The least recently used one has a full bucket, or nearly.
  const accounts = new LRUCache<string, Account>({ max: COMPANIES_MAX });

  function accountOf(companyId: string): Account {
    const now = elapsedMs();
    const { events, bytes, at } = accounts.get(companyId) ?? { events: eventsBurst, bytes: bytesBurst, at: now };
    const secs = (now - at) / 1000;
    const account = {
      events: Math.min(eventsBurst, events + secs * eventsPerSec),
      bytes: Math.min(bytesBurst, bytes + secs * bytesPerSec),
      at: now,
    };
    accounts.set(companyId, account);
    return account;
  }

  return {
    /** 0 when the events may be published now, and are counted; otherwise how long to wait, in milliseconds. */
    take(companyId: string, events: number, bytes: number): number {
      const account = accountOf(companyId);
      const missingEvents = Math.min(events, eventsBurst) - account.events;
      const missingBytes = Math.min(bytes, bytesBurst) - account.bytes;
      const waitSecs = Math.max(missingEvents / eventsPerSec, missingBytes / bytesPerSec);
      if (waitSecs > 0) return Math.ceil(waitSecs * 1000);
      account.events -= events;
      account.bytes -= bytes;
      return 0;
    },
  };
}
