import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { BackgroundWork, Clock, MovableClock } from '@parley/clock';
import { fairQueue } from '@parley/queues';
import { isUnreachable, QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { Telemetry } from '@parley/telemetry';
import type { Collection, Document } from 'mongodb';
import { openAlarms } from './alarms.ts';
import { hasAny } from './has-any.ts';
import { POLL_LATE_MS, startPolling } from './polling.ts';

export interface DueDocumentsOptions {
  collection: Collection<StoredDocument>;
  /** The field with the time, and the index on it and the company. */
  field: '_dueAt' | '_takeAt';
  index: string;
  /** A further condition; undefined when no document can be processed now. */
  where?: () => Document | undefined;
  clock: Clock | MovableClock;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** Processes the due work of a document: a second call finds nothing due, unless it resolves with false. */
  wake: (id: string) => Promise<boolean>;
  /** After the clock went back: brings times that are too far ahead closer. */
  pullBack?: (now: Date) => Promise<void>;
  /** How late what another process has left may be found while this one has nothing to do. */
  quietPollMs: () => number;
}

/** Processes documents when they are due, until it is stopped. */
export interface DueDocuments {
  /** A document was written that is due at `at`. */
  expect(document: { id: string; companyId: string; at: Date }): void;
  /** Something can be done now that could not be done before. */
  pollNow(): void;
  /** Counts documents that were due before `before`, to 1,000 at most. */
  count(before: Date): Promise<number>;
  stop(): Promise<void>;
}

interface Waiting {
  readonly id: string;
  readonly companyId: string;
}

/** Each poll looks ahead to the next one, so it does not delay anything; it finds what another process has left. */
const POLL_MS = 5000;
const RETRY_MS = 500;
/** Documents that are woken at the same time. */
const CONCURRENCY = 16;
const BATCH = 200;
/** The documents of one company that are queued before those of others are read. */
const SHARE = 50;
/** All processes poll due documents; they try at slightly different times, and the first one succeeds. */
const JITTER_MS = 40;

/** Any number of processes may process the same documents: due work is removed by a guarded write, so it runs once. */
export function startDueDocuments(options: DueDocumentsOptions): DueDocuments {
  const { collection, field, index, clock, backgroundWork, telemetry, wake, pullBack } = options;
  const where = options.where ?? (() => ({}));
  const queue = fairQueue<Waiting>();
  /** Queued or being woken. */
  const inProgress = new Set<string>();
  const running = new Set<Promise<void>>();
  /** Due before the next poll. */
  const upcoming = openAlarms<Waiting>(clock, enqueue);
  let stopped = false;
  let more = false;
  /** Work was done since the last poll: otherwise the same documents would be found again. */
  let isProgressing = false;

  function enqueue(document: Waiting): void {
    if (inProgress.has(document.id)) return;
    inProgress.add(document.id);
    queue.add(document.companyId, document);
    runNext();
  }

  function runNext(): void {
    while (!stopped && running.size < CONCURRENCY) {
      const next = queue.take();
      if (!next) break;
      const work: Promise<void> = run(next).finally(() => {
        running.delete(work);
        inProgress.delete(next.id);
        runNext();
        if (more && isProgressing && queue.size() === 0) polling.pollNow();
      });
      running.add(work);
    }
  }

  /** Outside of the request that may have set the alarm: what a timer changes is not that request's actor's doing. */
  async function run(document: Waiting): Promise<void> {
    try {
      if (await context.with(ROOT_CONTEXT, () => backgroundWork.during(() => wake(document.id)))) isProgressing = true;
    } catch (error) {
      if (!isUnreachable(error))
        telemetry.log.error({ err: error, id: document.id }, 'due work failed; it is tried again');
      upcoming.set(document, clock.now().getTime() + RETRY_MS);
    }
  }

  const dueBefore = (before: Date) => {
    const others = where();
    return !stopped && others ? { ...others, [field]: { $lte: before } } : undefined;
  };

  async function poll(): Promise<void> {
    const now = clock.now().getTime();
    const due = dueBefore(new Date(now + polling.msUntilNextPoll + POLL_LATE_MS));
    more = false;
    isProgressing = false;
    if (!due || (polling.isQuiet && !(await hasAny(collection, due)))) return;
    const served: string[] = [];
    for (let isFull = true; isFull && !stopped;) {
      const found = await collection
        .find(
          { ...due, ...(served.length > 0 && { companyId: { $nin: served } }) },
          { projection: { companyId: 1, [field]: 1 }, hint: index, maxTimeMS: QUERY_TIME_MAX_MS },
        )
        .sort({ [field]: 1 })
        .limit(BATCH)
        .toArray();
      if (found.length > 0) polling.expectWork();
      const servedBefore = served.length;
      for (const { _id: id, companyId = '', [field]: dueAt } of found) {
        const at = (dueAt as Date).getTime();
        if (queue.sizeOf(companyId) >= SHARE) served.push(companyId);
        else if (at <= now) enqueue({ id, companyId });
        else upcoming.set({ id, companyId }, at + Math.random() * JITTER_MS);
      }
      more ||= found.length === BATCH || served.length > servedBefore;
      isFull = found.length === BATCH && served.length > servedBefore;
    }
  }

  async function count(before: Date): Promise<number> {
    const due = dueBefore(before);
    return due ? collection.countDocuments(due, { limit: 1000, hint: index, maxTimeMS: QUERY_TIME_MAX_MS }) : 0;
  }

  const polling = startPolling({
    name: `${collection.collectionName} ${field}`,
    log: telemetry.log,
    pollMs: POLL_MS,
    quietPollMs: () => Math.max(POLL_MS, options.quietPollMs()),
    poll,
  });
  backgroundWork.addBacklog(() => count(clock.now()));
  if ('onMove' in clock) {
    clock.onMove(async ({ back }) => {
      if (stopped) return;
      upcoming.clear();
      if (back && pullBack) {
        await pullBack(clock.now());
        // Work in progress may still write times from before the move.
        for (const work of running) void work.then(() => pullBack(clock.now())).catch(() => undefined);
      }
      polling.pollNow();
    });
  }
  polling.pollNow();

  return {
    expect({ id, companyId, at }) {
      const wasQuiet = polling.isQuiet;
      polling.expectWork();
      if (wasQuiet) polling.pollNow();
      // Later ones are found by a later poll.
      const aheadMs = Math.max(POLL_MS, polling.msUntilNextPoll);
      if (!stopped && at.getTime() <= clock.now().getTime() + aheadMs) upcoming.set({ id, companyId }, at.getTime());
    },
    pollNow: polling.pollNow,
    count,
    async stop() {
      stopped = true;
      queue.clear();
      await polling.stop();
      await Promise.allSettled(running);
      upcoming.clear();
    },
  };
}
