import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { type BackgroundWork, type Clock, type MovableClock, msUntilMultiple } from '@parley/clock';
import { newId } from '@parley/ids';
import type { Logger } from '@parley/telemetry';
import type { Collection, Document, Filter } from 'mongodb';
import type { Due } from '@parley/errors';
import { isUnreachable } from '@parley/mongo';
import { hasAny, LOOK_LATE_MS } from './quiet-looks.ts';

/** The fields of a document with due work. */
export interface DueDocument extends Document {
  _id: string;
  due: Due | null;
  /** The owner of the lease, and its end by the machine's clock; an expired lease is free. */
  dueLease?: DueLease | null;
}

/** A claim on a document's due work. */
export interface DueLease {
  owner: string;
  until: Date;
}

export interface DueWorkOptions<Doc extends DueDocument> {
  name: string;
  collection: Collection<Doc>;
  clock: Clock | MovableClock;
  backgroundWork: BackgroundWork;
  log: Logger;
  concurrency: number;
  /** The field of the lease; `dueLease` by default. */
  leaseField?: string;
  /** Longer than the work takes: past it, another process may begin the same work. */
  leaseMs: number;
  /** The interval unless `pollNow` is called; longer after half a minute without work. */
  pollMs?: number;
  /**
   * Claims one of the documents that fit `claimable` by writing `lease` into it; null when there is none to take now.
   * Unless given, the one that has been due longest is taken.
   */
  take?: (claimable: Filter<Doc>, lease: DueLease) => Promise<Doc | null>;
  /**
   * Does what is due. It must change `due` (to a later time or null) in the write that records the outcome,
   * guarded by `dueLease.owner`; work that throws is tried again when its lease expires.
   */
  handle: (doc: Doc, lease: string) => Promise<void>;
}

/** Work that runs until it is stopped. */
export interface DueWork {
  /** Something was planned for now: look at once. */
  pollNow(): void;
  /** Something was planned for soon: looks are frequent for a while. */
  expect(): void;
  /** After a clock went back, for work that was planned by the time before: nothing waits longer than it was meant to. */
  pullBack(): Promise<void>;
  /** Takes no more, and waits for work in progress. */
  stop(): Promise<void>;
}

const POLL_MS = 1000;
const QUIET_AFTER_MS = 30_000;
/** Looks are then so far apart, or five times `pollMs`: only what other processes plan or leave is found later. */
const QUIET_POLL_MS = 15_000;

/** The index every collection of due work needs: only documents with a plan are in it. */
export const dueIndex = {
  key: { 'due.at': 1 },
  name: 'due',
  partialFilterExpression: { 'due.at': { $exists: true } },
} as const;

/** Does due work of one collection; any number of processes may share it. */
export function startDueWork<Doc extends DueDocument>(options: DueWorkOptions<Doc>): DueWork {
  const { name, collection, clock, backgroundWork, log, concurrency, leaseMs, pollMs = POLL_MS, handle } = options;
  const leaseField = options.leaseField ?? 'dueLease';
  const running = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let again = false;
  let busyAt = performance.now();
  const quietPollMs = Math.max(5 * pollMs, QUIET_POLL_MS);
  let hasFailed = false;
  let alarm: NodeJS.Timeout | undefined;

  const plannedBefore = (inMs: number): Filter<Doc> =>
    ({ 'due.at': { $lte: new Date(clock.now().getTime() + inMs) } }) as unknown as Filter<Doc>;
  const dueNow = () => plannedBefore(0);
  const unclaimed = (): Filter<Doc> =>
    ({ ...dueNow(), $or: [{ [leaseField]: null }, { [`${leaseField}.until`]: { $lt: new Date() } }] }) as Filter<Doc>;

  const longestDue = (claimable: Filter<Doc>, dueLease: DueLease) =>
    collection.findOneAndUpdate(claimable, { $set: { [leaseField]: dueLease } } as never, {
      sort: { 'due.at': 1 },
      returnDocument: 'after',
      maxTimeMS: 5000,
    }) as Promise<Doc | null>;
  const take = options.take ?? longestDue;

  async function claim(): Promise<{ doc: Doc; lease: string } | undefined> {
    const lease = newId('lease');
    const doc = await take(unclaimed(), { owner: lease, until: new Date(Date.now() + leaseMs) });
    return doc ? { doc, lease } : undefined;
  }

  function begin(doc: Doc, lease: string): void {
    setBusy();
    const work: Promise<void> = backgroundWork
      .during(() => handle(doc, lease))
      .catch((error: unknown) =>
        log.error({ err: error, work: name, id: doc._id }, 'due work failed; it is tried again'),
      )
      .finally(() => {
        running.delete(work);
        look();
      });
    running.add(work);
  }

  async function fill(): Promise<void> {
    hasFailed = false;
    again = false;
    // A part of one query while looks are rare and nothing is due before the next one.
    if (isQuiet() && !(await hasAny(collection, plannedBefore(quietPollMs + LOOK_LATE_MS)))) return;
    if (isQuiet() && (await msUntilNext(new Date(0))) > 0) return;
    do {
      again = false;
      while (!stopped && running.size < concurrency) {
        const claimed = await claim();
        if (!claimed) break;
        begin(claimed.doc, claimed.lease);
      }
    } while (again && !stopped);
    if (isQuiet()) await msUntilNext(clock.now());
  }

  /** Outside of any request: due work has its own deadline, principal and trace, not those of the triggering request. */
  const poll = () => context.with(ROOT_CONTEXT, fill);

  function look(): void {
    if (stopped) return;
    again = true;
    looking ??= poll()
      .catch((error: unknown) => {
        again = false; // the next poll tries again
        hasFailed = true;
        schedule();
        if (!isUnreachable(error)) log.error({ err: error, work: name }, 'cannot look for due work');
      })
      .finally(() => {
        looking = undefined;
        if (again) look(); // `pollNow` was called after the last poll, before this one ended
      });
  }

  const isQuiet = () => performance.now() - busyAt > QUIET_AFTER_MS;

  /** Until the next look; while looks are rare there is no timer in between, which would only wake the process. */
  let timer: NodeJS.Timeout | undefined;
  function schedule(): void {
    clearTimeout(timer);
    if (stopped) return;
    const inMs = isQuiet() && !hasFailed ? msUntilMultiple(quietPollMs) : pollMs;
    timer = setTimeout(() => {
      look();
      schedule();
    }, inMs);
  }

  function setBusy(): void {
    const wasQuiet = isQuiet();
    busyAt = performance.now();
    if (wasQuiet) schedule();
  }

  /** The time until what is planned next after a moment, which is done in time while looks are rare. */
  async function msUntilNext(after: Date): Promise<number> {
    const planned = { 'due.at': { $gt: after } } as unknown as Filter<Doc>;
    const next = await collection.findOne(planned, { sort: { 'due.at': 1 }, projection: { due: 1 }, maxTimeMS: 5000 });
    const inMs = (next?.due?.at.getTime() ?? Infinity) - clock.now().getTime();
    clearTimeout(alarm);
    if (!stopped && inMs > 0 && inMs <= quietPollMs + LOOK_LATE_MS) alarm = setTimeout(pollNow, inMs);
    return inMs;
  }

  function pollNow(): void {
    setBusy();
    look();
  }

  schedule();
  backgroundWork.addBacklog(() => collection.countDocuments(dueNow(), { maxTimeMS: 5000, limit: 1000 }));
  if ('onMove' in clock) {
    clock.onMove(async ({ back }) => {
      if (stopped) return;
      if (back) {
        await pullBack(collection, clock.now());
        // Work in progress may still use the time before the move.
        for (const work of running) void work.then(() => pullBack(collection, clock.now())).catch(() => undefined);
      }
      pollNow();
    });
  }
  look();
  return {
    pollNow,
    expect: setBusy,
    pullBack: () => pullBack(collection, clock.now()),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      clearTimeout(alarm);
      await Promise.allSettled(running);
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
