import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { BackgroundWork, Clock, MovableClock } from '@parley/clock';
import { fairQueue } from '@parley/queues';
import { isUnreachable, QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { Telemetry } from '@parley/telemetry';
import type { Collection, Document } from 'mongodb';
import { hasAny } from './has-any.ts';
import { POLL_LATE_MS, pollWhenMoved, startPolling } from './polling.ts';

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

export type DueDocuments = ReturnType<typeof startDueDocuments>;

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

/**
 * Processes documents when they are due, until it is stopped. Any number of processes may process the same documents: due work is removed by
 * a guarded write, so it runs once.
 */
export function startDueDocuments(options: DueDocumentsOptions) {
  const { collection, field, index, where = () => ({}), clock, backgroundWork, telemetry } = options;
  const runner = documentRunner(options, () => {
    if (hasMore) polling.pollNow();
  });
  /** The last poll has left some. */
  let hasMore = false;
  let stopped = false;

  const dueBefore = (before: Date) => {
    const others = where();
    return !stopped && others ? { ...others, [field]: { $lte: before } } : undefined;
  };

  async function poll(): Promise<void> {
    const now = clock.now().getTime();
    const due = dueBefore(new Date(now + polling.msUntilNextPoll + POLL_LATE_MS));
    hasMore = false;
    runner.beginPoll();
    if (!due || (polling.isQuiet && !(await hasAny(collection, due)))) return;
    const served: string[] = [];
    for (let isFull = true; isFull && !stopped;) {
      const found = await findDue(options, due, served);
      if (found.length > 0) polling.expectWork();
      const full = runner.schedule(found, now);
      served.push(...full);
      hasMore ||= found.length === BATCH || full.length > 0;
      isFull = found.length === BATCH && full.length > 0;
    }
  }

  /** Counts documents that were due before `before`, to 1,000 at most. */
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
  pollWhenMoved(clock, {
    running: runner.running,
    isStopped: () => stopped,
    onMoved: runner.clearAlarms,
    pullBack: async () => options.pullBack?.(clock.now()),
    pollNow: polling.pollNow,
  });
  polling.pollNow();

  return {
    /** A document was written that is due at `at`. */
    expect({ id, companyId, at }: Waiting & { readonly at: Date }): void {
      const wasQuiet = polling.isQuiet;
      polling.expectWork();
      if (wasQuiet) polling.pollNow();
      // Later ones are found by a later poll.
      const aheadMs = Math.max(POLL_MS, polling.msUntilNextPoll);
      if (!stopped && at.getTime() <= clock.now().getTime() + aheadMs) runner.setAlarm({ id, companyId }, at.getTime());
    },
    /** Something can be done now that could not be done before. */
    pollNow: polling.pollNow,
    count,
    async stop(): Promise<void> {
      stopped = true;
      runner.close();
      await polling.stop();
      await Promise.allSettled(runner.running);
      runner.clearAlarms();
    },
  };
}

/** The documents that are due the longest, without those of some companies. */
function findDue({ collection, field, index }: DueDocumentsOptions, due: Document, served: readonly string[]) {
  return collection
    .find(
      { ...due, ...(served.length > 0 && { companyId: { $nin: served } }) },
      { projection: { companyId: 1, [field]: 1 }, hint: index, maxTimeMS: QUERY_TIME_MAX_MS },
    )
    .sort({ [field]: 1 })
    .limit(BATCH)
    .toArray();
}

/** Wakes documents, some at a time, companies in turn. `onEmpty` is called when all are woken and there was progress since the last poll. */
function documentRunner({ field, clock, backgroundWork, telemetry, wake }: DueDocumentsOptions, onEmpty: () => void) {
  const queue = fairQueue<Waiting>();
  /** Queued or being woken. */
  const inProgress = new Set<string>();
  const running = new Set<Promise<void>>();
  /** Due before the next poll. */
  const upcoming = openAlarms<Waiting>(clock, add);
  let isClosed = false;
  /** Work was done since the last poll: otherwise the same documents would be found again. */
  let isProgressing = false;

  function add(document: Waiting): void {
    if (inProgress.has(document.id)) return;
    inProgress.add(document.id);
    queue.add(document.companyId, document);
    runNext();
  }

  function runNext(): void {
    while (!isClosed && running.size < CONCURRENCY) {
      const next = queue.take();
      if (!next) break;
      const work: Promise<void> = run(next).finally(() => {
        running.delete(work);
        inProgress.delete(next.id);
        runNext();
        if (isProgressing && queue.size() === 0) onEmpty();
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

  return {
    running: running as ReadonlySet<Promise<void>>,
    setAlarm: upcoming.set,
    clearAlarms: upcoming.clear,
    /** Wakes what is due, and sets alarms for the others. Returns the companies of those that it leaves, because enough of theirs wait. */
    schedule(found: readonly StoredDocument[], now: number): string[] {
      const full: string[] = [];
      for (const { _id: id, companyId = '', [field]: dueAt } of found) {
        const at = (dueAt as Date).getTime();
        if (queue.sizeOf(companyId) >= SHARE) full.push(companyId);
        else if (at <= now) add({ id, companyId });
        else upcoming.set({ id, companyId }, at + Math.random() * JITTER_MS);
      }
      return full;
    },
    beginPoll: () => void (isProgressing = false),
    close(): void {
      isClosed = true;
      queue.clear();
    },
  };
}

/** What is due soon, by id. One timer is set for all of it. */
function openAlarms<Item extends { readonly id: string }>(clock: Clock, onDue: (item: Item) => void) {
  const upcoming = new Map<string, { readonly item: Item; readonly at: number }>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  function setTimer(at: number): void {
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(onTimer, Math.max(0, at - clock.now().getTime()));
  }

  function onTimer(): void {
    timerAt = Infinity;
    const now = clock.now().getTime();
    const due = [...upcoming.values()].filter(({ at }) => at <= now);
    for (const { item } of due) upcoming.delete(item.id);
    for (const { item } of due) onDue(item);
    setTimer(Math.min(...[...upcoming.values()].map(({ at }) => at)));
  }

  return {
    /** Replaces an earlier alarm of the same item. */
    set(item: Item, at: number): void {
      upcoming.set(item.id, { item, at });
      setTimer(at);
    },
    clear(): void {
      upcoming.clear();
      clearTimeout(timer);
      timerAt = Infinity;
    },
  };
}
