import type { BackgroundWork, Clock, MovableClock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Collection, Document, Filter } from 'mongodb';
import type { Due } from '@parley/errors';
import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import { hasAny } from './has-any.ts';
import { freeLease, type Lease, newLease } from '../stored/bookkeeping.ts';
import { POLL_LATE_MS, pollWhenMoved, startPolling } from './polling.ts';

/** The fields of a document with due work. */
export interface DueDocument extends Document {
  _id: string;
  due: Due | null;
  /** The owner of the lease, and its end by the machine's clock; an expired lease is free. */
  dueLease?: Lease | null;
}

/** What all due work needs. */
export interface DueWorkSettings {
  name: string;
  clock: Clock | MovableClock;
  backgroundWork: BackgroundWork;
  log: Logger;
  concurrency: number;
  /** Longer than the work takes, unless it renews the lease: past it, another process may begin the same work. */
  leaseMs: number;
  /** The interval unless `pollNow` is called; longer after half a minute without work. */
  pollMs?: number;
}

export interface DueWorkOptions<Doc extends DueDocument> extends DueWorkSettings {
  collection: Collection<Doc>;
  /** The field of the lease; `dueLease` by default. */
  leaseField?: string;
  /**
   * Claims documents that fit `claimable` by writing `lease` into them; none when there is none to take now.
   * Unless given, the one that has been due longest is taken.
   */
  take?: (claimable: Filter<Doc>, lease: Lease) => Promise<readonly Doc[]>;
  /**
   * Does what is due. It must change `due` (to a later time or null) in the write that records the outcome,
   * guarded by `dueLease.owner`; work that throws is tried again when its lease expires.
   */
  handle: (doc: Doc, lease: string) => Promise<void>;
}

/** Work that runs until it is stopped. */
export type DueWork = ReturnType<typeof startDueWork>;

const POLL_MS = 1000;
/** Polls are so far apart while nothing is due, or five times `pollMs`: only what other processes plan or leave is found later. */
const QUIET_POLL_MS = 15_000;

/** The index every collection of due work needs: only documents with a plan are in it. */
export const dueIndex = {
  key: { 'due.at': 1 },
  name: 'due',
  partialFilterExpression: { 'due.at': { $exists: true } },
} as const;

/** Does due work of one collection; any number of processes may share it. */
export function startDueWork<Doc extends DueDocument>(options: DueWorkOptions<Doc>) {
  const { name, collection, clock, backgroundWork, log, concurrency, leaseMs, pollMs = POLL_MS, handle } = options;
  const quietPollMs = Math.max(5 * pollMs, QUIET_POLL_MS);
  const queries = dueQueries(options);
  const take = options.take ?? queries.takeLongestDue;
  const running = new Set<Promise<void>>();
  let stopped = false;
  let alarm: NodeJS.Timeout | undefined;

  function begin(doc: Doc, lease: string): void {
    polling.expectWork();
    const work: Promise<void> = backgroundWork
      .during(() => handle(doc, lease))
      .catch((error: unknown) =>
        log.error({ err: error, work: name, id: doc._id }, 'due work failed; it is tried again'),
      )
      .finally(() => {
        running.delete(work);
        polling.pollNow();
      });
    running.add(work);
  }

  async function poll(): Promise<void> {
    // A part of one query while polls are rare and nothing is due before the next one.
    if (polling.isQuiet && !(await hasAny(collection, queries.plannedBefore(quietPollMs + POLL_LATE_MS)))) return;
    if (polling.isQuiet && (await setAlarm(new Date(0))) > 0) return;
    while (!stopped && running.size < concurrency) {
      const lease = newLease(leaseMs);
      const docs = await take(queries.unclaimed(), lease);
      if (docs.length === 0) break;
      for (const doc of docs) begin(doc, lease.owner);
    }
    if (polling.isQuiet) await setAlarm(clock.now());
  }

  /** For what is planned next after a moment, which is done in time while polls are rare; returns the time until then. */
  async function setAlarm(after: Date): Promise<number> {
    const inMs = await queries.msUntilNext(after);
    clearTimeout(alarm);
    if (!stopped && inMs > 0 && inMs <= quietPollMs + POLL_LATE_MS) alarm = setTimeout(pollNow, inMs);
    return inMs;
  }

  const polling = startPolling({ name, log, pollMs, quietPollMs: () => quietPollMs, poll });
  /** Something was planned for now: polls at once. */
  function pollNow(): void {
    polling.expectWork();
    polling.pollNow();
  }

  /** After a clock went back, for work that was planned by the time before: nothing waits longer than it was meant to. */
  const pullBackPlans = () => pullBack(collection, clock.now());
  backgroundWork.addBacklog(queries.countDue);
  pollWhenMoved(clock, { running, isStopped: () => stopped, pullBack: pullBackPlans, pollNow });
  polling.pollNow();
  return {
    pollNow,
    /** Something was planned for soon: polls are frequent for a while. */
    expect: polling.expectWork,
    pullBack: pullBackPlans,
    /** Takes no more, and waits for work in progress. */
    async stop(): Promise<void> {
      stopped = true;
      await polling.stop();
      clearTimeout(alarm);
      await Promise.allSettled(running);
    },
  };
}

function dueQueries<Doc extends DueDocument>({ collection, clock, leaseField = 'dueLease' }: DueWorkOptions<Doc>) {
  const bounded = { sort: { 'due.at': 1 }, maxTimeMS: QUERY_TIME_MAX_MS } as const;
  const plannedBefore = (inMs: number): Filter<Doc> =>
    ({ 'due.at': { $lte: new Date(clock.now().getTime() + inMs) } }) as unknown as Filter<Doc>;
  return {
    plannedBefore,
    unclaimed: () => ({ ...plannedBefore(0), ...freeLease(leaseField) }) as Filter<Doc>,
    countDue: () => collection.countDocuments(plannedBefore(0), { maxTimeMS: QUERY_TIME_MAX_MS, limit: 1000 }),
    async takeLongestDue(claimable: Filter<Doc>, lease: Lease): Promise<readonly Doc[]> {
      const leased = { $set: { [leaseField]: lease } } as never;
      const doc = await collection.findOneAndUpdate(claimable, leased, { ...bounded, returnDocument: 'after' });
      return doc ? [doc as Doc] : [];
    },
    async msUntilNext(after: Date): Promise<number> {
      const planned = { 'due.at': { $gt: after } } as unknown as Filter<Doc>;
      const next = await collection.findOne(planned, { ...bounded, projection: { due: 1 } });
      return (next?.due?.at.getTime() ?? Infinity) - clock.now().getTime();
    },
  };
}

/** After a clock went back: nothing waits longer from now than it was meant to wait. */
async function pullBack<Doc extends DueDocument>(collection: Collection<Doc>, now: Date): Promise<void> {
  await collection.updateMany({ 'due.at': { $gt: now } } as unknown as Filter<Doc>, [
    {
      $set: {
        'due.at': { $min: ['$due.at', { $add: [now, '$due.waitMs'] }] },
        // A decision made on the old time is made again.
        _version: { $cond: [{ $isNumber: '$_version' }, { $add: ['$_version', 1] }, '$$REMOVE'] },
      },
    },
  ]);
}
