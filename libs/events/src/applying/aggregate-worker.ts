import { setTimeout as sleep } from 'node:timers/promises';
import { fairQueue } from '@parley/queues';
import { type AggregateQueue, insert, type QueuedEvent } from './aggregate-queues.ts';
import {
  type AggregateWork,
  applyChunk,
  BATCH_AGGREGATES_MAX,
  batchAttempts,
  defer,
  type EventApplierOptions,
  gapWaitMsOf,
  catchUp,
} from './apply-chunk.ts';
import { compareTo } from './positions-store.ts';

/** Aggregates whose events are applied at once from memory, and from the stream. */
const WORKERS = 64;
const CATCH_UPS = 16;
const CATCH_UP_PAUSE_MS = 20;
const RETRY_MS = 500;

/** Applies the events of aggregates: those in memory first, then those that were left to the catch-up. */
export function startAggregateWorker(options: EventApplierOptions) {
  const { follower, batchPer, backgroundWork, log } = options;
  let isStopped = false;
  const isEnding = ({ state }: AggregateQueue) => isStopped || state === 'dropped';
  const { allSaved, ...saving } = progressWriter(options, isEnding);
  const work: AggregateWork = { ...options, ...saving, tryBatch: batchAttempts(options), isEnding };
  const scheduleApplying = queueRunner(batchPer === 'follower' ? BATCH_AGGREGATES_MAX : WORKERS, run(applyChunk));
  const scheduleCatchUp = queueRunner(CATCH_UPS, run(catchUp));

  function run(step: (queue: AggregateQueue, work: AggregateWork) => Promise<void>) {
    return (queue: AggregateQueue) =>
      backgroundWork
        .during(() => step(queue, work))
        .catch((error: unknown) => {
          const problem = { err: error, follower, key: queue.key };
          if (!queue.behind) return log.error(problem, 'events not applied; retrying');
          log.warn(problem, 'cannot read events again; retrying');
          queue.behind = { ...queue.behind, resumeAt: new Date(Date.now() + RETRY_MS) };
        })
        .finally(() => {
          if (queue.state === 'running') queue.state = 'idle';
          resume(queue);
        });
  }

  /** Continues with an idle queue, now or at the time at which it may continue. */
  function resume(queue: AggregateQueue): void {
    const [first] = queue.items;
    if (isEnding(queue)) return;
    if (first && compareTo(queue.position, first.event.aggregateSequence) === 'early') {
      queue.gapSince ??= performance.now();
      const leftMs = Math.max(0, queue.gapSince + gapWaitMsOf(queue, work) - performance.now());
      setTimeout(() => scheduleApplying(queue), leftMs).unref();
    } else if (first) {
      scheduleApplying(queue);
    } else if (queue.behind) {
      const leftMs = Math.max(CATCH_UP_PAUSE_MS, queue.behind.resumeAt.getTime() - Date.now());
      setTimeout(() => scheduleCatchUp(queue), leftMs).unref();
    }
  }

  return {
    resume,
    /** Keeps an event until it is applied; false when it is here already. */
    enqueue(queue: AggregateQueue, item: QueuedEvent): boolean {
      if (!insert(queue, item)) return false;
      scheduleApplying(queue);
      return true;
    },
    /** Leaves an event to the catch-up. */
    defer: (queue: AggregateQueue, item: QueuedEvent) => defer(queue, item, work),
    allSaved,
    stop: () => (isStopped = true),
  };
}

/**
 * Returns what schedules an idle queue. Each is worked on by one worker at a time, companies in turn. `work` never rejects, and sets the queue's
 * next state.
 */
function queueRunner(workersMax: number, work: (queue: AggregateQueue) => Promise<void>) {
  const ready = fairQueue<AggregateQueue>();
  let workers = 0;

  function startWorkers(): void {
    while (workers < workersMax) {
      const queue = ready.take();
      if (!queue) return;
      if (queue.state !== 'scheduled') continue;
      workers += 1;
      queue.state = 'running';
      queue.work = work(queue).finally(() => {
        workers -= 1;
        startWorkers();
      });
    }
  }

  return (queue: AggregateQueue): void => {
    if (queue.state !== 'idle') return;
    queue.state = 'scheduled';
    ready.add(queue.companyId, queue);
    // What arrives with its first event is applied with it.
    queueMicrotask(startWorkers);
  };
}

/** Saves how far aggregates are, and completes the events that need not be read again after that. */
function progressWriter(
  { follower, positions, backgroundWork, log, toleratesReplay, onApplied }: EventApplierOptions,
  isEnding: (queue: AggregateQueue) => boolean,
) {
  const saving = new Set<Promise<void>>();

  /** False when it was not saved because the work ended before. */
  async function save(queue: AggregateQueue): Promise<boolean> {
    for (;;) {
      const { key, position, failing, behind: savedBehind } = queue;
      const isUnread = queue.unreadSince !== undefined && position.ahead.length === 0;
      try {
        await positions.save({ key, position, failing, behind: savedBehind, isUnread });
        queue.savedBehind = savedBehind;
        return true;
      } catch (error) {
        log.warn({ err: error, follower }, 'positions not saved; retrying');
        if (isEnding(queue)) return false;
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    save,
    /** Resolves when it is saved; immediately if the events may be applied again. */
    async saveApplied(queue: AggregateQueue, applied: readonly QueuedEvent[]): Promise<void> {
      if (applied.length === 0) return;
      applied.forEach(onApplied);
      const saved = save(queue).then((isSaved) => applied.forEach((item) => (isSaved ? item.done() : item.discard())));
      if (!toleratesReplay) return saved;
      const tracked: Promise<void> = backgroundWork.during(() => saved).finally(() => saving.delete(tracked));
      saving.add(tracked);
    },
    /** Resolves when everything that is applied now is saved. */
    allSaved: () => Promise.all(saving),
  };
}
