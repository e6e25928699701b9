import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { type BackgroundWork, type Clock, type MovableClock, msUntilMultiple } from '@parley/clock';
import { fairQueue } from '@parley/queues';
import { isUnreachable, QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { Telemetry } from '@parley/telemetry';
import type { Collection, Document } from 'mongodb';
import { hasAny, LOOK_LATE_MS } from '../due-work/quiet-looks.ts';

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
/** With nothing due and nothing written for this long, looks are as far apart as `quietPollMs` allows. */
const QUIET_AFTER_MS = 30_000;
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
  const upcoming = new Map<string, Waiting & { at: number }>();
  let alarm: NodeJS.Timeout | undefined;
  let alarmAt = Infinity;
  let stopped = false;
  let busyAt = performance.now();
  let nextLookAt = 0;
  let more = false;
  /** Work was done since the last look: otherwise the same documents would be found again. */
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
      // Outside of the request that may have set the alarm: what a timer changes is not that request's actor's doing.
      const work: Promise<void> = context
        .with(ROOT_CONTEXT, () =>
          backgroundWork.during(async () => {
            if (await wake(next.id)) isProgressing = true;
          }),
        )
        .catch((error: unknown) => {
          if (!isUnreachable(error))
            telemetry.log.error({ err: error, id: next.id }, 'due work failed; it is tried again');
          wakeAt({ ...next, at: clock.now().getTime() + RETRY_MS });
        })
        .finally(() => {
          running.delete(work);
          inProgress.delete(next.id);
          runNext();
          if (more && isProgressing && queue.size() === 0) look();
        });
      running.add(work);
    }
  }

  /** An alarm wakes it on time for documents that are due soon. */
  function setAlarm(at: number): void {
    if (stopped || at >= alarmAt) return;
    clearTimeout(alarm);
    alarmAt = at;
    alarm = setTimeout(ring, Math.max(0, at - clock.now().getTime()));
  }

  function ring(): void {
    alarmAt = Infinity;
    const now = clock.now().getTime();
    for (const document of upcoming.values()) {
      if (document.at > now) continue;
      upcoming.delete(document.id);
      enqueue(document);
    }
    setAlarm(Math.min(...[...upcoming.values()].map(({ at }) => at)));
  }

  function wakeAt(document: Waiting & { at: number }): void {
    upcoming.set(document.id, document);
    setAlarm(document.at);
  }

  const isQuiet = () => performance.now() - busyAt > QUIET_AFTER_MS;

  async function fill(): Promise<void> {
    const now = clock.now().getTime();
    const soon = new Date(now + Math.max(0, nextLookAt - performance.now()) + LOOK_LATE_MS);
    const served: string[] = [];
    const others = where();
    more = false;
    if (others && isQuiet() && !(await hasAny(collection, { ...others, [field]: { $lte: soon } }))) return;
    while (!stopped && others) {
      const found = await collection
        .find(
          { ...others, [field]: { $lte: soon }, ...(served.length > 0 && { companyId: { $nin: served } }) },
          { projection: { companyId: 1, [field]: 1 }, hint: index, maxTimeMS: QUERY_TIME_MAX_MS },
        )
        .sort({ [field]: 1 })
        .limit(BATCH)
        .toArray();
      if (found.length > 0) busyAt = performance.now();
      for (const { _id: id, companyId = '', ...due } of found) {
        const at = (due[field] as Date).getTime();
        if (queue.sizeOf(companyId) >= SHARE) served.push(companyId);
        else if (at <= now) enqueue({ id, companyId });
        else wakeAt({ id, companyId, at: at + Math.random() * JITTER_MS });
      }
      if (found.length < BATCH) break;
      more = true;
      if (!found.some(({ companyId }) => served.includes(companyId ?? ''))) break;
    }
    more ||= served.length > 0;
  }

  let looking: Promise<void> | undefined;
  let again = false;
  /** Outside of any request: due work has its own deadline and trace. */
  function look(): void {
    if (stopped) return;
    again = true;
    looking ??= context
      .with(ROOT_CONTEXT, async () => {
        while (again && !stopped) {
          again = false;
          isProgressing = false;
          await fill();
        }
      })
      .catch((error: unknown) => {
        again = false;
        if (!isUnreachable(error)) telemetry.log.error({ err: error }, 'cannot look for due documents');
      })
      .finally(() => {
        looking = undefined;
        if (again) look();
      });
  }

  /** Until the next look; while looks are rare there is no timer in between, which would only wake the process. */
  let poll: NodeJS.Timeout | undefined;
  function schedule(): void {
    clearTimeout(poll);
    if (stopped) return;
    const inMs = isQuiet() ? msUntilMultiple(Math.max(POLL_MS, options.quietPollMs())) : POLL_MS;
    nextLookAt = performance.now() + inMs;
    poll = setTimeout(() => {
      schedule();
      look();
    }, inMs);
  }

  async function count(before: Date): Promise<number> {
    const others = where();
    if (stopped || !others) return 0;
    const filter = { ...others, [field]: { $lte: before } };
    return collection.countDocuments(filter, { limit: 1000, hint: index, maxTimeMS: QUERY_TIME_MAX_MS });
  }
  backgroundWork.addBacklog(() => count(clock.now()));
  if ('onMove' in clock) {
    clock.onMove(async ({ back }) => {
      if (stopped) return;
      upcoming.clear();
      clearTimeout(alarm);
      alarmAt = Infinity;
      if (back && pullBack) {
        await pullBack(clock.now());
        // Work in progress may still write times from before the move.
        for (const work of running) void work.then(() => pullBack(clock.now())).catch(() => undefined);
      }
      look();
    });
  }
  schedule();
  look();

  return {
    expect({ id, companyId, at }) {
      const wasQuiet = isQuiet();
      busyAt = performance.now();
      if (wasQuiet) {
        schedule();
        look();
      }
      // Later ones are found by a later poll.
      if (stopped || at.getTime() > clock.now().getTime() + Math.max(POLL_MS, nextLookAt - busyAt)) return;
      wakeAt({ id, companyId, at: at.getTime() });
    },
    pollNow: look,
    count,
    async stop() {
      stopped = true;
      clearTimeout(poll);
      clearTimeout(alarm);
      queue.clear();
      await looking;
      await Promise.allSettled(running);
    },
  };
}
