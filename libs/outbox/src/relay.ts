import type { Activity } from '@parley/clock';
import type { Broker, Event } from '@parley/events';
import { newId } from '@parley/ids';
import { isUnreachable, startExpirySweep } from '@parley/store';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Collection, Db } from 'mongodb';
import type { Aggregate, OutboxEntry, Stored } from './document.ts';
import { EVENT_LOG_DAYS, type EventLog, openEventLog } from './event-log.ts';
import { offerAgain } from './offer-again.ts';

/** Longer than carrying one document's entries takes; after it another process may take over. */
const LEASE_MS = 10_000;
const SWEEP_EVERY_MS = 1000;
/** The sweep leaves alone what a request has only just written and is carrying itself. */
const SWEEP_AGE_MS = 2000;
const SWEEP_BATCH = 200;
const DAY_MS = 24 * 3600 * 1000;

type AnyCollection = Collection<Stored<Aggregate>>;

/** What the relay needs to know of a document. */
export type Carried = Pick<Stored<Aggregate>, '_id' | 'companyId' | '_outbox' | '_deleted'>;

/** Carries events from documents to the stream: log, publish, clear. */
export interface Relay {
  /** A lease for a write that adds entries, if nobody holds one: the writer then carries them itself. */
  lease(): { owner: string; until: Date };
  /** Carries a document's entries under a lease that the last write took; `carried` is the document as written. */
  carry(collection: AnyCollection, carried: Carried, owner: string): void;
  /** Has the sweep look after a collection. */
  watch(collection: AnyCollection): void;
  stop(): Promise<void>;
}

export async function startRelay(options: {
  service: string;
  db: Db;
  broker: Broker;
  activity: Activity;
  telemetry: Telemetry;
}): Promise<Relay> {
  const { service, db, broker, activity, telemetry } = options;
  const log = await openEventLog(db);
  const watched: AnyCollection[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  const lease = () => ({ owner: newId('relay'), until: new Date(Date.now() + LEASE_MS) });

  async function carryAll(collection: AnyCollection, carried: Carried, owner: string): Promise<void> {
    let left: Carried | null = carried;
    while (left && left._outbox.length > 0) {
      await publish(log, broker, telemetry, left);
      left = await clear(collection, left, owner);
    }
    if (left?._deleted) await collection.deleteOne({ _id: left._id, _deleted: true, _outbox: { $size: 0 } });
  }

  function carry(collection: AnyCollection, carried: Carried, owner: string): void {
    const work: Promise<void> = activity
      .during(async () => {
        if (broker.connected()) await carryAll(collection, carried, owner);
        else await release(collection, carried._id, owner);
      })
      .catch(async (error: unknown) => {
        if (broker.connected() && !isUnreachable(error)) {
          telemetry.log.warn({ err: error, id: carried._id }, 'events not published; the sweep tries again');
        }
        await release(collection, carried._id, owner).catch(() => undefined);
      })
      .finally(() => running.delete(work));
    running.add(work);
  }

  /** Takes over what nobody is carrying: after a crash, or while the broker was away. */
  async function sweep(collection: AnyCollection): Promise<void> {
    const left = await collection
      .find(
        { _pendingSince: { $lt: new Date(Date.now() - SWEEP_AGE_MS) } },
        { projection: { _id: 1 }, maxTimeMS: 5000 },
      )
      .limit(SWEEP_BATCH)
      .toArray();
    await Promise.all(
      left.map(async ({ _id }) => {
        const taken = lease();
        const claimed = await collection.findOneAndUpdate(
          { _id, _pendingSince: { $exists: true }, $or: [{ _relay: null }, { '_relay.until': { $lt: new Date() } }] },
          { $set: { _relay: taken } },
          { returnDocument: 'after' },
        );
        if (claimed) carry(collection, claimed, taken.owner);
      }),
    );
  }

  let sweeping: Promise<unknown> | undefined;
  const sweepAll = () => {
    if (stopped || sweeping || !broker.connected()) return;
    sweeping = Promise.all(watched.map(sweep))
      .catch((error: unknown) => {
        if (!isUnreachable(error)) telemetry.log.error({ err: error }, 'outbox sweep failed');
      })
      .finally(() => (sweeping = undefined));
  };
  const timer = setInterval(sweepAll, SWEEP_EVERY_MS);

  const guard = offerAgain({ service, db, log, broker, activity, telemetry });
  const expiry = startExpirySweep({
    collection: log.collection,
    expired: () => ({ at: { $lt: new Date(Date.now() - EVENT_LOG_DAYS * DAY_MS) } }),
    everyMs: 3600_000,
    activity,
    log: telemetry.log,
  });
  const pending = async () => {
    const counts = await Promise.all(
      watched.map((collection) => collection.countDocuments({ _pendingSince: { $exists: true } }, { limit: 1000 })),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  activity.addBacklog(pending);
  telemetry.meter
    .createObservableGauge('parley_outbox_pending')
    .addCallback(async (result) => result.observe(await pending()));

  return {
    lease,
    carry,
    watch: (collection) => void watched.push(collection),
    async stop() {
      stopped = true;
      clearInterval(timer);
      expiry.stop();
      await guard.stop();
      await sweeping;
      await Promise.allSettled(running);
    },
  };
}

async function publish(log: EventLog, broker: Broker, telemetry: Telemetry, stored: Carried): Promise<void> {
  const events = stored._outbox.map((entry) => toEvent(stored, entry));
  await log.add(events);
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

/** Removes what was published; in the same step gives the lease back, unless a later write has added more. */
async function clear(collection: AnyCollection, stored: Carried, owner: string): Promise<Carried | null> {
  const done = stored._outbox.map((entry) => entry.id);
  const rest = { $filter: { input: '$_outbox', cond: { $not: [{ $in: ['$$this.id', done] }] } } };
  return collection.findOneAndUpdate(
    { _id: stored._id, '_relay.owner': owner },
    [
      { $set: { _outbox: rest } },
      {
        $set: {
          _relay: { $cond: [{ $eq: ['$_outbox', []] }, null, '$_relay'] },
          _pendingSince: { $cond: [{ $eq: ['$_outbox', []] }, '$$REMOVE', '$_pendingSince'] },
        },
      },
    ],
    { returnDocument: 'after' },
  );
}

async function release(collection: AnyCollection, id: string, owner: string): Promise<void> {
  await collection.updateOne({ _id: id, '_relay.owner': owner }, { $set: { _relay: null } });
}

function toEvent(stored: Carried, entry: OutboxEntry): Event {
  return {
    id: entry.id,
    type: entry.type,
    companyId: stored.companyId,
    aggregateId: stored._id,
    aggregateSequence: entry.sequence,
    occurredAt: entry.occurredAt,
    traceparent: entry.traceparent ?? undefined,
    data: entry.data.buffer,
  };
}
