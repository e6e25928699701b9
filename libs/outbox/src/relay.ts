import type { BackgroundWork } from '@parley/clock';
import type { Broker, Event } from '@parley/events';
import { newId } from '@parley/ids';
import {
  byIds,
  choiceOf,
  coalesce,
  isUnreachable,
  QUERY_TIME_MAX_MS,
  replaceIf,
  startExpirySweep,
  whileUnreachable,
} from '@parley/store';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Collection, Db, Filter } from 'mongodb';
import type { Aggregate, OutboxEntry, Stored } from './document.ts';
import { EVENT_LOG_DAYS, openEventLog } from './event-log.ts';
import { openPublishBudget, type PublishBudgetLimits } from './publish-budget.ts';
import { republishLog } from './republish-log.ts';

/** Longer than publishing one document's entries takes; after it another process may take over. */
const LEASE_MS = 10_000;
/** Followers get events this much later while there are many; nobody waits for a document to be cleared. */
const LOGGING = { gatherMs: 6 };
const CLEARING = { gatherMs: 20 };
const SWEEP_EVERY_MS = 1000;
/** Where nothing is known to be left behind: another process that crashed has left a lease, which has to end first. */
const QUIET_SWEEP_EVERY_MS = 3000;
const SWEEP_BATCH = 200;
/** A document whose company has used up its budget is left alone for this long at most. */
const POSTPONE_MS_MAX = 10_000;
/** How long to look for unclaimed events more often: leases and postponements end within it. */
const UNCLAIMED_MS = LEASE_MS + POSTPONE_MS_MAX;
const DAY_MS = 24 * 3600 * 1000;

type AnyCollection = Collection<Stored<Aggregate>>;

/** The fields of a document that the relay needs. */
export type Carried = Pick<Stored<Aggregate>, '_id' | 'companyId' | '_outbox' | '_deleted' | '_commands'>;

/** A document whose first entries were published. */
interface Published {
  readonly id: string;
  readonly owner: string;
  readonly count: number;
}

/** Publishes the events in documents: logs them, publishes them, clears them from the document. */
export interface Relay {
  /** Of the service whose events these are. */
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: Telemetry;
  /** A lease for a write that adds entries, if there is none: the writer then publishes them itself. */
  lease(): { owner: string; until: Date };
  /**
   * Carries a document's entries under a lease that the last write took; `carried` is the document as written. Calls
   * `onCleared` when they are out of the document and the lease is given back.
   */
  carry(collection: AnyCollection, carried: Carried, owner: string, onCleared?: () => void): void;
  /** Has the sweep look after a collection. */
  watch(collection: AnyCollection): void;
  stop(): Promise<void>;
}

/** Pending events without an owner: after a crash, or while the broker was unreachable. */
export function unclaimedPending(now: Date): Filter<Stored<Aggregate>> {
  return { _pendingSince: { $lte: now }, $or: [{ _relay: null }, { '_relay.until': { $lt: now } }] };
}

/** Starts carrying a service's events; aggregates are opened with it. */
export async function startRelay(options: {
  service: string;
  db: Db;
  broker: Broker;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** What a company may publish; for tests. */
  budget?: PublishBudgetLimits;
}): Promise<Relay> {
  const { service, db, broker, backgroundWork, telemetry } = options;
  const log = await openEventLog(db);
  const budget = openPublishBudget(options.budget);
  const postponed = telemetry.meter.createCounter('parley_events_postponed_total');
  const watched: AnyCollection[] = [];
  const running = new Set<Promise<unknown>>();
  let stopped = false;

  /** As long as events may be pending without an owner: of this process, of an earlier one of the same service, or of another. */
  let unclaimedUntil = 0;
  let sweptAt = -Infinity;
  const expectUnclaimed = () => (unclaimedUntil = performance.now() + UNCLAIMED_MS);
  expectUnclaimed();

  const lease = () => ({ owner: newId('relay'), until: new Date(Date.now() + LEASE_MS) });

  /** Events of many documents are logged by one write. */
  const addToLog = coalesce(async (batches: readonly (readonly Event[])[]) => {
    await log.add(batches.flat());
    return batches.map(() => undefined);
  }, LOGGING);
  /** Many documents are cleared by one write: each plainly, if nothing was added to it meanwhile. */
  const clearing = new Map<string, (published: Published) => Promise<boolean>>();
  const clearUnchanged = (collection: AnyCollection) => {
    const known = clearing.get(collection.collectionName);
    if (known) return known;
    const clearer = coalesce((published: readonly Published[]) => clearAll(collection, published), CLEARING);
    clearing.set(collection.collectionName, clearer);
    return clearer;
  };

  /** Until nothing is left; a document that went on being changed meanwhile has more. */
  async function carryAll(collection: AnyCollection, carried: Carried, owner: string, onCleared: () => void) {
    for (let left: Carried | null = carried; left; left = await clear(collection, left, owner)) {
      const waitMs = budget.take(left.companyId, left._outbox.length, bytesOf(left));
      if (waitMs > 0) {
        postponed.add(left._outbox.length);
        expectUnclaimed();
        return postpone(collection, left._id, owner, Math.min(waitMs, POSTPONE_MS_MAX));
      }
      await publish(addToLog, broker, telemetry, left);
      if (isRemovable(left)) {
        if (await remove(collection, left._id, owner)) return;
      } else if (await clearUnchanged(collection)({ id: left._id, owner, count: left._outbox.length })) break;
    }
    onCleared();
  }

  async function carryOrRelease(collection: AnyCollection, carried: Carried, owner: string, onCleared: () => void) {
    try {
      if (open()) {
        await backgroundWork.during(() => carryAll(collection, carried, owner, onCleared));
        return true;
      }
    } catch (error) {
      guard.check();
      if (broker.connected() && !isUnreachable(error))
        telemetry.log.warn({ err: error, id: carried._id }, 'events not published; the sweep retries');
    }
    expectUnclaimed();
    // If that fails too, the lease runs out.
    await release(collection, carried._id, owner).catch(() => undefined);
    return false;
  }

  function carry(collection: AnyCollection, carried: Carried, owner: string, onCleared = () => {}): Promise<boolean> {
    const work = carryOrRelease(collection, carried, owner, onCleared).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  async function takeOver(collection: AnyCollection, id: string): Promise<boolean> {
    const taken = lease();
    const claimed = await collection.findOneAndUpdate(
      { _id: id, ...unclaimedPending(new Date()) },
      { $set: { _relay: taken } },
      { returnDocument: 'after' },
    );
    return claimed !== null && carry(collection, claimed, taken.owner);
  }

  async function sweep(collection: AnyCollection): Promise<void> {
    for (let more = true; more && !stopped && open();) {
      const left = await collection
        .find(unclaimedPending(new Date()), { projection: { _id: 1 }, maxTimeMS: QUERY_TIME_MAX_MS })
        .limit(SWEEP_BATCH)
        .toArray();
      if (left.length > 0) expectUnclaimed();
      const carried = await Promise.all(left.map(({ _id }) => takeOver(collection, _id)));
      more = left.length === SWEEP_BATCH && carried.includes(true);
    }
  }

  let sweeping: Promise<unknown> | undefined;
  const sweepAll = () => {
    if (stopped || !open()) return;
    sweptAt = performance.now();
    sweeping ??= Promise.all(watched.map(sweep))
      .catch((error: unknown) => {
        if (!isUnreachable(error)) telemetry.log.error({ err: error }, 'outbox sweep failed');
      })
      .finally(() => (sweeping = undefined));
  };
  const timer = setInterval(() => {
    const isQuiet = performance.now() > unclaimedUntil;
    if (!isQuiet || performance.now() - sweptAt > QUIET_SWEEP_EVERY_MS - SWEEP_EVERY_MS / 2) sweepAll();
  }, SWEEP_EVERY_MS);

  const guard = republishLog({ service, db, log, broker, backgroundWork, telemetry, onComplete: () => sweepAll() });
  const open = () => broker.connected() && guard.isComplete();
  const expiry = startExpirySweep({
    collection: log.collection,
    expired: () => ({ at: { $lt: new Date(Date.now() - EVENT_LOG_DAYS * DAY_MS) } }),
    everyMs: 3600_000,
    backgroundWork,
    log: telemetry.log,
  });
  const pending = async () => {
    const counts = await Promise.all(
      watched.map((collection) =>
        collection.countDocuments(
          { _pendingSince: { $exists: true } },
          { limit: 1000, hint: 'pending', maxTimeMS: QUERY_TIME_MAX_MS },
        ),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  backgroundWork.addBacklog(pending);
  telemetry.meter
    .createObservableGauge('parley_outbox_pending')
    .addCallback(async (result) => result.observe(await pending()));

  return {
    backgroundWork,
    telemetry,
    lease,
    carry: (collection, carried, owner, onCleared) => void carry(collection, carried, owner, onCleared),
    watch: (collection) => void watched.push(collection),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.all([expiry.stop(), guard.stop()]);
      await sweeping;
      await Promise.allSettled(running);
    },
  };
}

async function publish(
  addToLog: (events: readonly Event[]) => Promise<unknown>,
  broker: Broker,
  telemetry: Telemetry,
  stored: Carried,
): Promise<void> {
  const events = stored._outbox.map((entry) => toEvent(stored, entry));
  if (events.length === 0) return;
  await addToLog(events);
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

/**
 * Clears those documents that are still there with no more than what was published; true for all if it was so for all.
 * The conditions are part of the update, not of its filter: by id alone the server needs no query plan.
 */
async function clearAll(collection: AnyCollection, published: readonly Published[]): Promise<boolean[]> {
  const ids = published.map(({ id }) => id);
  const own = choiceOf(
    ids,
    published.map(({ owner, count }) => ({ owner, count })),
  );
  const isUnchanged = [
    { $eq: ['$_relay.owner', '$$own.owner'] },
    { $eq: ['$_deleted', false] },
    // Under the lease entries are only added, so as many are the same ones.
    { $eq: [{ $size: '$_outbox' }, '$$own.count'] },
  ];
  const cleared = {
    $unsetField: { field: '_pendingSince', input: { $mergeObjects: ['$$ROOT', { _outbox: [], _relay: null }] } },
  };
  const pipeline = [replaceIf(own, isUnchanged, cleared)];
  const { modifiedCount } = await whileUnreachable(() =>
    collection.updateMany(byIds(ids) as Filter<Stored<Aggregate>>, pipeline),
  );
  return published.map(() => modifiedCount === published.length);
}

/**
 * Removes what was published; in the same step gives the lease back, unless a later write has added more. Answers what
 * is left to publish, null when nothing is or another process has taken over.
 */
async function clear(collection: AnyCollection, stored: Carried, owner: string): Promise<Carried | null> {
  const done = stored._outbox.map((entry) => entry.id);
  const rest = { $filter: { input: '$_outbox', cond: { $not: [{ $in: ['$$this.id', done] }] } } };
  const hasCommands = { $gt: [{ $size: { $ifNull: ['$_commands', []] } }, 0] };
  const finished = { $and: [{ $eq: ['$_outbox', []] }, { $or: [{ $not: '$_deleted' }, hasCommands] }] };
  const left = await whileUnreachable(() =>
    collection.findOneAndUpdate(
      { _id: stored._id, '_relay.owner': owner },
      [
        { $set: { _outbox: rest } },
        {
          $set: {
            _relay: { $cond: [finished, null, '$_relay'] },
            _pendingSince: { $cond: [finished, '$$REMOVE', '$_pendingSince'] },
          },
        },
      ],
      { returnDocument: 'after', projection: { companyId: 1, _outbox: 1, _deleted: 1, _commands: 1 } },
    ),
  );
  return left && (left._outbox.length > 0 || isRemovable(left)) ? left : null;
}

/** A tombstone whose commands are done as well; until then their execution needs it. */
function isRemovable({ _deleted, _commands = [] }: Carried): boolean {
  return _deleted && _commands.length === 0;
}

/** A deleted aggregate without commands never changes: those were its last events. */
async function remove(collection: AnyCollection, id: string, owner: string): Promise<boolean> {
  const removable = { _id: id, '_relay.owner': owner, '_commands.0': { $exists: false } };
  return (await whileUnreachable(() => collection.deleteOne(removable))).deletedCount === 1;
}

/** Keeps the lease without working under it: writes and sweeps pass the document over until it ends. */
async function postpone(collection: AnyCollection, id: string, owner: string, waitMs: number): Promise<void> {
  const until = new Date(Date.now() + waitMs);
  await whileUnreachable(() =>
    collection.updateOne({ _id: id, '_relay.owner': owner }, { $set: { '_relay.until': until } }),
  );
}

function bytesOf({ _outbox }: Carried): number {
  return _outbox.reduce((sum, { data }) => sum + data.length(), 0);
}

async function release(collection: AnyCollection, id: string, owner: string): Promise<void> {
  await whileUnreachable(() => collection.updateOne({ _id: id, '_relay.owner': owner }, { $set: { _relay: null } }));
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
