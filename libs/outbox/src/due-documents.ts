import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { BackgroundWork, Clock, MovableClock } from '@parley/clock';
import { isUnreachable, QUERY_TIME_MAX_MS, type StoredDocument, whileUnreachable } from '@parley/store';
import type { Telemetry } from '@parley/telemetry';
import type { Collection } from 'mongodb';
import { fairQueue } from './fair-queue.ts';

export interface DueDocumentsOptions {
  collection: Collection<StoredDocument>;
  clock: Clock | MovableClock;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** Does what is due in a document. Whoever calls it second finds nothing due any more. */
  wake: (id: string) => Promise<void>;
  pollMs?: number;
}

/** Wakes documents when they are due, until it is stopped. */
export interface DueDocuments {
  /** A document was written that is due at `at`. */
  expect(document: { id: string; companyId: string; at: Date }): void;
  stop(): Promise<void>;
}

interface Waiting {
  readonly id: string;
  readonly companyId: string;
}

const POLL_MS = 500;
/** Documents that are woken at the same time. */
const CONCURRENCY = 16;
const BATCH = 200;
/** How many of one company are queued before the others are looked for. */
const SHARE = 50;
/** Every process knows what is due soon; they try at slightly different times, and the first one does it. */
const JITTER_MS = 40;
/** Past this, something that is due counts as late. */
const LATE_MS = 5000;

/** Any number of processes may wake the same documents: what is due is removed by a guarded write, so it happens once. */
export function startDueDocuments(options: DueDocumentsOptions): DueDocuments {
  const { collection, clock, backgroundWork, telemetry, wake, pollMs = POLL_MS } = options;
  const queue = fairQueue<Waiting>();
  /** Queued or being woken. */
  const inHand = new Set<string>();
  const running = new Set<Promise<void>>();
  /** Due before the next poll. */
  const upcoming = new Map<string, Waiting & { at: number }>();
  let alarm: NodeJS.Timeout | undefined;
  let stopped = false;
  let more = false;

  function enqueue(document: Waiting): void {
    if (inHand.has(document.id)) return;
    inHand.add(document.id);
    queue.add(document.companyId, document);
    runNext();
  }

  function runNext(): void {
    while (!stopped && running.size < CONCURRENCY) {
      const next = queue.take();
      if (!next) break;
      const work: Promise<void> = backgroundWork
        .during(() => wake(next.id))
        .catch((error: unknown) => {
          if (!isUnreachable(error))
            telemetry.log.error({ err: error, id: next.id }, 'due work failed; it is tried again');
        })
        .finally(() => {
          running.delete(work);
          inHand.delete(next.id);
          runNext();
          if (more && queue.size() === 0) look();
        });
      running.add(work);
    }
  }

  /** What is due soon is woken by an alarm, on time. */
  function setAlarm(): void {
    clearTimeout(alarm);
    if (stopped || upcoming.size === 0) return;
    const next = Math.min(...[...upcoming.values()].map(({ at }) => at));
    alarm = setTimeout(ring, Math.max(0, next - clock.now().getTime()));
  }

  function ring(): void {
    const now = clock.now().getTime();
    for (const document of [...upcoming.values()]) {
      if (document.at > now) continue;
      upcoming.delete(document.id);
      enqueue(document);
    }
    setAlarm();
  }

  async function fill(): Promise<void> {
    const now = clock.now().getTime();
    const soon = new Date(now + pollMs + JITTER_MS);
    const served: string[] = [];
    for (more = false; !stopped;) {
      const found = await collection
        .find(
          { _dueAt: { $lte: soon }, ...(served.length > 0 && { companyId: { $nin: served } }) },
          { projection: { companyId: 1, _dueAt: 1 }, hint: 'timers_due', maxTimeMS: QUERY_TIME_MAX_MS },
        )
        .sort({ _dueAt: 1 })
        .limit(BATCH)
        .toArray();
      for (const { _id: id, companyId = '', _dueAt } of found) {
        const at = (_dueAt as Date).getTime();
        if (queue.sizeOf(companyId) >= SHARE) served.push(companyId);
        else if (at <= now) enqueue({ id, companyId });
        else upcoming.set(id, { id, companyId, at: at + Math.random() * JITTER_MS });
      }
      setAlarm();
      if (found.length < BATCH) break;
      more = true;
      if (!found.some(({ companyId }) => served.includes(companyId ?? ''))) break;
    }
    more ||= served.length > 0;
  }

  let looking: Promise<void> | undefined;
  let again = false;
  /** Outside of any request: what is due has a deadline and a trace of its own. */
  function look(): void {
    if (stopped) return;
    again = true;
    looking ??= context
      .with(ROOT_CONTEXT, async () => {
        while (again && !stopped) {
          again = false;
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

  const poll = setInterval(look, pollMs);
  const countDue = (before: Date) =>
    collection.countDocuments(
      { _dueAt: { $lte: before } },
      { limit: 1000, hint: 'timers_due', maxTimeMS: QUERY_TIME_MAX_MS },
    );
  backgroundWork.addBacklog(async () => (stopped ? 0 : countDue(clock.now())));
  telemetry.meter.createObservableGauge('parley_timers_late').addCallback(async (result) => {
    const late = await countDue(new Date(clock.now().getTime() - LATE_MS));
    result.observe(late, { collection: collection.collectionName });
  });
  if ('onMove' in clock) {
    clock.onMove(async ({ back }) => {
      if (stopped) return;
      upcoming.clear();
      if (back) {
        await pullBack(collection, clock.now());
        // What is in hand may still be written with times from before the move.
        for (const work of running) void work.then(() => pullBack(collection, clock.now())).catch(() => undefined);
      }
      look();
    });
  }
  look();

  return {
    expect({ id, companyId, at }) {
      const now = clock.now().getTime();
      // Later ones are found by a poll before they are due.
      if (stopped || at.getTime() > now + pollMs) return;
      upcoming.set(id, { id, companyId, at: at.getTime() });
      setAlarm();
    },
    async stop() {
      stopped = true;
      clearInterval(poll);
      clearTimeout(alarm);
      queue.clear();
      await looking;
      await Promise.allSettled(running);
    },
  };
}

/** After a clock went back: nothing waits longer from now than it was meant to wait. */
async function pullBack(collection: Collection<StoredDocument>, now: Date): Promise<void> {
  const sooner = (due: string) => ({ $min: [`${due}.at`, { $add: [now, `${due}.waitMs`] }] });
  const timers = {
    $map: { input: { $ifNull: ['$_timers', []] }, in: { $mergeObjects: ['$$this', { at: sooner('$$this') }] } },
  };
  const commands = {
    $map: {
      input: { $ifNull: ['$_commands', []] },
      in: {
        $mergeObjects: [
          '$$this',
          {
            retry: {
              $cond: [
                { $eq: ['$$this.retry', null] },
                null,
                { $mergeObjects: ['$$this.retry', { at: sooner('$$this.retry') }] },
              ],
            },
          },
        ],
      },
    },
  };
  const ahead = { $gt: now };
  const times = { $concatArrays: ['$_timers.at', '$_commands.retry.at'] };
  await whileUnreachable(() =>
    collection.updateMany(
      { _dueAt: { $exists: true }, $or: [{ '_timers.at': ahead }, { '_commands.retry.at': ahead }] },
      [
        { $set: { _timers: timers, _commands: commands } },
        { $set: { _dueAt: { $min: times }, _version: { $add: ['$_version', 1] } } },
      ],
    ),
  );
}
