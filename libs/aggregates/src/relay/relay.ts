import type { Actor, AuditEntry } from '@parley/actor';
import { type BackgroundWork, withTimeout } from '@parley/clock';
import { type Broker, type Event, removeFromStream } from '@parley/events';
import { batch, batching } from '@parley/queues';
import { isUnreachable } from '@parley/mongo';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { OutboxEntry } from '../stored/bookkeeping.ts';
import { openEventLog } from './event-log.ts';
import {
  type AggregateCollection,
  claim,
  clear,
  clearUnchanged,
  countPending,
  findPendingOf,
  findUnclaimed,
  isRemovable,
  LEASE_MS,
  type PendingDocument,
  postpone,
  type PublishedEntries,
  release,
  removeTombstone,
  unclaimedPending,
} from './pending-documents.ts';
import { hasAny } from '../due/has-any.ts';
import { type Lease, newLease } from '../due/lease.ts';
import { startPolling } from '../due/polling.ts';
import { openPublishBudget, type PublishBudget } from './publish-budget.ts';
import { republishLog } from './republish-log.ts';

/** A request is answered after this time even if its events could not be published; cached answers that they drop are then used until they expire. */
const PUBLISHED_WAIT_MS = 1000;
const SWEEP_EVERY_MS = 1000;
/** While no unclaimed events are expected: those of a process that crashed are leased until its lease expires. */
const QUIET_SWEEP_EVERY_MS = 30_000;
const SWEEP_BATCH = 200;
/** A document whose company has used up its budget is postponed by this long at most. */
const POSTPONE_MS_MAX = 10_000;
/** Unclaimed events are searched for more often during this time: leases and postponements end within it. */
const UNCLAIMED_MS = LEASE_MS + POSTPONE_MS_MAX;

/** Removal of a company's events from everywhere they are kept, a bounded portion at a time. */
export interface EventRemoval {
  /** True when a matching event is not published yet; it is removed once it is. */
  isPending(companyId: string, fits: FitsEvent): Promise<boolean>;
  /** From the log. Returns where to continue, or undefined at the end. */
  fromLog(companyId: string, after: string, fits: FitsEvent): Promise<string | undefined>;
  /** From the stream, by its sequences; without a company, those of all. */
  fromStream(companyId: string | undefined, from: number, fits: FitsEvent): Promise<number | undefined>;
}

type FitsEvent = (event: Event) => Promise<boolean>;

/** `cleared`: the outbox is empty and the lease is released. `removed`: so is the document, a tombstone. `failed`: a sweep tries again. */
export type PublishOutcome = 'cleared' | 'removed' | 'postponed' | 'failed';

/** Removes published events together with the next write of their document, instead of by a write of its own for each. */
export interface PublishedEvents {
  onPublished(document: PendingDocument, owner: string): void;
  /**
   * Resolves with the document when a write has added more to publish, with null once its lease is released or lost, and with
   * `kept` when no write has removed them: the relay does it then.
   */
  removed(id: string, owner: string): Promise<PendingDocument | null | 'kept'>;
  /** From now on they are removed at once. */
  removeAtOnce(): void;
}

/** Publishes the events in the outboxes of documents: logs and publishes them, clears the outboxes. */
export interface Relay {
  /** Those of the service whose events these are. */
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: Telemetry;
  /** A lease for a write that adds entries, if there is none: the writer then publishes them itself. */
  lease(): Lease;
  /**
   * Publishes the events of a document under the lease that the last write took; `document` is as it was written. Unless
   * `events` removes them from it, the relay does. Never rejects.
   */
  publish(
    collection: AggregateCollection,
    document: PendingDocument,
    owner: string,
    events?: PublishedEvents,
  ): Promise<PublishOutcome>;
  /** Resolves once the event is published; not later than after `PUBLISHED_WAIT_MS`, and at once while nothing can be published. */
  published(eventId: string): Promise<void>;
  /** Removes published events for good. */
  readonly removal: EventRemoval;
  /** Adds a collection to the sweep. */
  watch(collection: AggregateCollection, events?: PublishedEvents): void;
  stop(): Promise<void>;
}

/** Starts publishing a service's events; aggregates are opened with it. */
export async function startRelay(options: {
  service: string;
  db: Db;
  broker: Broker;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** Replaced in tests. */
  budget?: PublishBudget;
}): Promise<Relay> {
  const { service, db, broker, backgroundWork, telemetry, budget = openPublishBudget() } = options;
  const self: Actor = { type: 'system', id: service, name: service };
  const log = await openEventLog(db);
  const expiry = await log.startExpiry({ everyMs: 3600_000, backgroundWork, log: telemetry.log });
  const delay = telemetry.meter.createHistogram('parley_event_publish_delay_seconds', { unit: 's' });
  const postponed = telemetry.meter.createCounter('parley_events_postponed_total');
  const watched: AggregateCollection[] = [];
  const watchedEvents: PublishedEvents[] = [];
  const running = new Set<Promise<unknown>>();
  let stopped = false;

  /** Callbacks that wait for the publication of an event, by its id. */
  const awaited = new Map<string, () => void>();

  /** Events of many documents are logged by one write. */
  const addBatch = batch(async (batches: readonly (readonly Event[])[]) => {
    await log.add(batches.flat());
    return batches.map(() => undefined);
  }, batching.eventLog);
  const logging = new Set<Promise<unknown>>();
  function addToLog(events: readonly Event[]): Promise<unknown> {
    const adding = addBatch(events).finally(() => logging.delete(adding));
    logging.add(adding);
    return adding;
  }
  /** The outboxes of many documents are cleared by one write. */
  const clearers = new Map<string, (published: PublishedEntries) => Promise<boolean>>();
  function clearerOf(collection: AggregateCollection) {
    const known = clearers.get(collection.collectionName);
    if (known) return known;
    const clearer = batch(
      (batch: readonly PublishedEntries[]) => clearUnchanged(collection, batch),
      batching.publishedEntries,
    );
    clearers.set(collection.collectionName, clearer);
    return clearer;
  }

  /** Until the outbox is empty: other writes may add events meanwhile. */
  async function publishAll(
    collection: AggregateCollection,
    document: PendingDocument,
    owner: string,
    events: PublishedEvents | undefined,
  ): Promise<PublishOutcome> {
    for (let left: PendingDocument | null = document; left;) {
      const waitMs = budget.take(left.companyId, left._outbox.length, bytesOf(left));
      if (waitMs > 0) {
        postponed.add(left._outbox.length);
        sweeping.expectWork();
        await postpone(collection, left._id, owner, Math.min(waitMs, POSTPONE_MS_MAX));
        return 'postponed';
      }
      await logAndPublish(left);
      events?.onPublished(left, owner);
      if (isRemovable(left) && (await removeTombstone(collection, left._id, owner))) return 'removed';
      left = await remove(collection, left, owner, events);
    }
    return 'cleared';
  }

  /**
   * Both at once: until both are done the events stay in the document, so a crash in between repeats them. What was published and
   * is not logged yet cannot be missing after a loss of the stream, because filling it waits for the log.
   */
  async function logAndPublish(document: PendingDocument): Promise<void> {
    const events = document._outbox.map((entry) => toEvent(document, entry, self));
    if (events.length === 0) return;
    await Promise.all([addToLog(events), publishInOrder(events).then(() => onPublished(document))]);
  }

  async function publishInOrder(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      await telemetry.span(
        `publish ${event.type}`,
        {
          kind: SpanKind.PRODUCER,
          parent: contextFrom(event.traceparent),
          attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
        },
        () => broker.publish(event),
      );
    }
  }

  function onPublished({ _outbox, _pendingSince }: PendingDocument): void {
    for (const { id } of _outbox) awaited.get(id)?.();
    // Both times are the machine's.
    if (_pendingSince) delay.record(Math.max(0, Date.now() - _pendingSince.getTime()) / 1000);
  }

  /** Removes published events from their document; the document if there is more to publish. */
  async function remove(
    collection: AggregateCollection,
    left: PendingDocument,
    owner: string,
    events: PublishedEvents | undefined,
  ): Promise<PendingDocument | null> {
    const removed = events && !left._deleted ? await events.removed(left._id, owner) : 'kept';
    if (removed !== 'kept') return removed;
    const eventIds = left._outbox.map(({ id }) => id);
    if (!isRemovable(left) && (await clearerOf(collection)({ id: left._id, owner, eventIds }))) return null;
    return clear(collection, left, owner);
  }

  async function publishOrRelease(
    collection: AggregateCollection,
    document: PendingDocument,
    owner: string,
    events: PublishedEvents | undefined,
  ): Promise<PublishOutcome> {
    try {
      if (open()) return await backgroundWork.during(() => publishAll(collection, document, owner, events));
    } catch (error) {
      guard.check();
      if (broker.connected() && !isUnreachable(error))
        telemetry.log.warn({ err: error, id: document._id }, 'events not published; the sweep retries');
    }
    sweeping.expectWork();
    // If that fails too, the lease expires.
    await release(collection, document._id, owner).catch(() => undefined);
    return 'failed';
  }

  function publish(
    collection: AggregateCollection,
    document: PendingDocument,
    owner: string,
    events?: PublishedEvents,
  ): Promise<PublishOutcome> {
    const work = publishOrRelease(collection, document, owner, events).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  async function takeOver(collection: AggregateCollection, id: string): Promise<boolean> {
    const claimed = await claim(collection, id);
    return claimed !== undefined && (await publish(collection, claimed.document, claimed.owner)) !== 'failed';
  }

  async function sweep(collection: AggregateCollection): Promise<void> {
    if (sweeping.isQuiet && !(await hasAny(collection, unclaimedPending(new Date())))) return;
    for (let more = true; more && !stopped && open();) {
      const unclaimed = await findUnclaimed(collection, SWEEP_BATCH);
      if (unclaimed.length > 0) sweeping.expectWork();
      const published = await Promise.all(unclaimed.map((id) => takeOver(collection, id)));
      more = unclaimed.length === SWEEP_BATCH && published.includes(true);
    }
  }

  /** Events may be pending without an owner: of this process, of an earlier one of the same service, or of another. */
  const sweeping = startPolling({
    name: 'events to publish',
    log: telemetry.log,
    pollMs: SWEEP_EVERY_MS,
    quietPollMs: () => QUIET_SWEEP_EVERY_MS,
    busyMs: UNCLAIMED_MS,
    poll: async () => void (open() && (await Promise.all(watched.map(sweep)))),
  });
  const guard = republishLog({
    service,
    db,
    log,
    logged: () => Promise.allSettled(logging),
    broker,
    backgroundWork,
    telemetry,
    onComplete: sweeping.pollNow,
  });
  const open = () => broker.connected() && guard.isComplete();
  const pending = async () => {
    const counts = await Promise.all(watched.map(countPending));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  backgroundWork.addBacklog(pending);
  telemetry.meter
    .createObservableGauge('parley_outbox_pending')
    .addCallback(async (result) => result.observe(await pending()));

  return {
    backgroundWork,
    telemetry,
    lease: () => newLease(LEASE_MS),
    publish,
    published(eventId) {
      if (!open()) return Promise.resolve();
      const done = new Promise<void>((resolve) => awaited.set(eventId, resolve));
      return withTimeout(PUBLISHED_WAIT_MS, done).finally(() => awaited.delete(eventId));
    },
    watch(collection, events) {
      watched.push(collection);
      if (events) watchedEvents.push(events);
    },
    removal: {
      async isPending(companyId, fits) {
        for (const collection of watched)
          for (const document of await findPendingOf(collection, companyId))
            for (const entry of document._outbox) if (await fits(toEvent(document, entry, self))) return true;
        return false;
      },
      fromLog: (companyId, after, fits) => log.remove(companyId, after, fits),
      fromStream: (companyId, from, fits) =>
        removeFromStream(
          broker,
          service,
          from,
          async (event) => (companyId === undefined || event.companyId === companyId) && fits(event),
        ),
    },
    async stop() {
      stopped = true;
      await Promise.all([expiry.stop(), guard.stop(), sweeping.stop()]);
      for (const events of watchedEvents) events.removeAtOnce();
      await Promise.allSettled(running);
    },
  };
}

function bytesOf({ _outbox }: PendingDocument): number {
  return _outbox.reduce((sum, { data }) => sum + data.length(), 0);
}

function toEvent(document: PendingDocument, entry: OutboxEntry, self: Actor): Event {
  return {
    id: entry.id,
    type: entry.type,
    companyId: document.companyId,
    aggregateId: document._id,
    aggregateSequence: entry.sequence,
    occurredAt: entry.occurredAt,
    traceparent: entry.traceparent ?? undefined,
    data: entry.data.buffer,
    actor: entry.actor ?? self,
    ...(entry.audit !== undefined && { audit: JSON.parse(entry.audit) as AuditEntry<string> }),
  };
}
