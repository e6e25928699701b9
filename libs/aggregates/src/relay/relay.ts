import type { BackgroundWork } from '@parley/clock';
import { type Broker, type Event, removeFromStream } from '@parley/events';
import { isUnreachable, type Migration } from '@parley/mongo';
import { counterFromZero, type Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { newLease } from '../stored/bookkeeping.ts';
import { type Polling, startPolling } from '../due/polling.ts';
import { type EventLog, eventLogMigration, openEventLog } from './event-log.ts';
import {
  type OutboxPublisher,
  outboxPublisher,
  POSTPONE_MS_MAX,
  eventPublisher,
  eventsOf,
  openPublishBudget,
  type PublishBudget,
} from './outbox-publisher.ts';
import { type AggregateCollection, LEASE_MS } from './pending-documents.ts';
import type { PublishedOutboxes } from './published-outboxes.ts';
import { checkpointMigration, republishLog } from './republish-log.ts';

/** Of what the relay stores; before `startRelay`. */
export const relayMigrations: readonly Migration[] = [eventLogMigration, checkpointMigration];

const SWEEP_EVERY_MS = 1000;
/** While no unclaimed events are expected: those of a process that crashed are leased until its lease expires. */
const QUIET_SWEEP_EVERY_MS = 30_000;
const SWEEP_BATCH = 200;
/** Unclaimed events are searched for more often during this time: leases and postponements end within it. */
const UNCLAIMED_MS = LEASE_MS + POSTPONE_MS_MAX;

/** Removal of a company's events from everywhere they are kept, a bounded portion at a time. */
export type EventRemoval = ReturnType<typeof eventRemoval>;

type FitsEvent = (event: Event) => Promise<boolean>;

/** Publishes the events in the outboxes of documents: logs and publishes them, clears the outboxes. */
export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Starts publishing a service's events; aggregates are opened with it. */
export async function startRelay(options: {
  service: string;
  db: Db;
  broker: Broker;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** Replaced in tests. */
  budget?: PublishBudget;
  /**
   * When the database was restored from a backup. What the process of before the restore did after the moment of the backup is unknown:
   * older commands that are executed at most once are not executed, their outcome is unknown.
   */
  restoredAt?: Date | undefined;
}) {
  const { service, db, broker, backgroundWork, telemetry, restoredAt, budget = openPublishBudget() } = options;
  const log = await openEventLog(db);
  const expiry = await log.startExpiry({ everyMs: 3600_000, backgroundWork, log: telemetry.log });
  const events = eventPublisher({ service, log, broker, telemetry });
  const postponed = counterFromZero(telemetry.meter, 'parley_events_postponed_total');
  const watched: OutboxPublisher[] = [];
  let stopped = false;

  /** Events may be pending without an owner: of this process, of an earlier one of the same service, or of another. */
  const sweeping = startPolling({
    name: 'events to publish',
    log: telemetry.log,
    pollMs: SWEEP_EVERY_MS,
    quietPollMs: () => QUIET_SWEEP_EVERY_MS,
    busyMs: UNCLAIMED_MS,
    async poll() {
      const mayContinue = () => !stopped && isOpen();
      if (isOpen()) await Promise.all(watched.map((publisher) => sweep(publisher, sweeping, mayContinue)));
    },
  });
  const { logged } = events;
  const onComplete = sweeping.pollNow;
  const guard = republishLog({ service, db, log, logged, broker, backgroundWork, telemetry, onComplete });
  const isOpen = () => broker.connected() && guard.isComplete();

  function onError(error: unknown, id: string): void {
    guard.check();
    if (broker.connected() && !isUnreachable(error))
      telemetry.log.warn({ err: error, id }, 'events not published; the sweep retries');
  }

  const countPending = async () => sum(await Promise.all(watched.map(({ pending }) => pending.count())));
  backgroundWork.addBacklog(countPending);
  telemetry.meter
    .createObservableGauge('parley_outbox_pending')
    .addCallback(async (result) => result.observe(await countPending()));

  return {
    /** Those of the service whose events these are. */
    backgroundWork,
    telemetry,
    restoredAt,
    /** A lease for a write that adds entries, if there is none: the writer then publishes them itself. */
    lease: () => newLease(LEASE_MS),
    /** Resolves once the event is published; a second later at most, and at once while nothing can be published. */
    published: async (eventId: string): Promise<void> => (isOpen() ? events.published(eventId) : undefined),
    /** Adds a collection to the sweep; its writers publish through the result. */
    watch(collection: AggregateCollection, published: PublishedOutboxes): Pick<OutboxPublisher, 'publish'> {
      const { expectWork: expectSweep } = sweeping;
      const common = { events, budget, backgroundWork, postponed, isOpen, expectSweep, onError };
      const publisher = outboxPublisher({ ...common, collection, published });
      watched.push(publisher);
      return publisher;
    },
    /** Removes published events for good. */
    removal: eventRemoval(service, broker, log, watched),
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all([expiry.stop(), guard.stop(), sweeping.stop()]);
      await Promise.all(watched.map((publisher) => publisher.stop()));
    },
  };
}

/** Publishes what has no owner. */
async function sweep(
  { pending, takeOver }: OutboxPublisher,
  sweeping: Polling,
  mayContinue: () => boolean,
): Promise<void> {
  if (sweeping.isQuiet && !(await pending.hasUnclaimed())) return;
  for (let more = true; more && mayContinue();) {
    const unclaimed = await pending.findUnclaimed(SWEEP_BATCH);
    if (unclaimed.length > 0) sweeping.expectWork();
    const published = await Promise.all(unclaimed.map(takeOver));
    more = unclaimed.length === SWEEP_BATCH && published.includes(true);
  }
}

function eventRemoval(service: string, broker: Broker, log: EventLog, watched: readonly OutboxPublisher[]) {
  return {
    /** True when a matching event is not published yet; it is removed once it is. */
    async isPending(companyId: string, fits: FitsEvent): Promise<boolean> {
      for (const { pending } of watched)
        for (const document of await pending.find(companyId))
          for (const event of eventsOf(document, service)) if (await fits(event)) return true;
      return false;
    },
    /** From the log. Returns where to continue, or undefined at the end. */
    fromLog: log.remove,
    /** From the stream, by its sequences; without a company, those of all. */
    fromStream(companyId: string | undefined, from: number, fits: FitsEvent): Promise<number | undefined> {
      const isOfCompany = (event: Event) => companyId === undefined || event.companyId === companyId;
      return removeFromStream(broker, service, from, async (event) => isOfCompany(event) && fits(event));
    },
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
