import { type AggregateQueue, insert, type QueuedEvent } from './aggregate-queue.ts';
import { type AggregateWork, gapWaitMsOf } from './aggregate-work.ts';
import { applyChunk } from './apply-chunk.ts';
import { BATCH_AGGREGATES_MAX, batchAttempts } from './attempts.ts';
import { catchUp, defer } from './catch-up.ts';
import type { EventApplierOptions } from './event-applier-options.ts';
import { compareTo } from './position.ts';
import { progressWriter } from './progress-writer.ts';
import { queueRunner } from './queue-runner.ts';

/** Aggregates whose events are applied at once from memory, and from the stream. */
const WORKERS = 64;
const CATCH_UPS = 16;
const CATCH_UP_PAUSE_MS = 20;
const RETRY_MS = 500;

export type AggregateWorker = ReturnType<typeof startAggregateWorker>;

/** Applies the events of aggregates: those in memory first, then those that were left to the catch-up. */
export function startAggregateWorker(options: EventApplierOptions) {
  const { follower, batchPer, backgroundWork, log } = options;
  let isStopped = false;
  const isEnding = ({ state }: AggregateQueue) => isStopped || state === 'dropped';
  const { allSaved, ...saving } = progressWriter(options, isEnding);
  const work: AggregateWork = { ...options, ...saving, tryBatch: batchAttempts(options), isEnding };
  const applying = queueRunner(batchPer === 'follower' ? BATCH_AGGREGATES_MAX : WORKERS, run(applyChunk));
  const catchingUp = queueRunner(CATCH_UPS, run(catchUp));

  function run(step: (queue: AggregateQueue, work: AggregateWork) => Promise<void>) {
    return (queue: AggregateQueue) =>
      backgroundWork
        .during(() => step(queue, work))
        .catch((error: unknown) => {
          log.error({ err: error, follower, key: queue.key }, 'events not applied; retrying');
          if (queue.behind) queue.behind = { ...queue.behind, resumeAt: new Date(Date.now() + RETRY_MS) };
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
      setTimeout(() => applying.schedule(queue), leftMs).unref();
    } else if (first) {
      applying.schedule(queue);
    } else if (queue.behind) {
      const leftMs = Math.max(CATCH_UP_PAUSE_MS, queue.behind.resumeAt.getTime() - Date.now());
      setTimeout(() => catchingUp.schedule(queue), leftMs).unref();
    }
  }

  return {
    resume,
    /** Keeps an event until it is applied; false when it is here already. */
    enqueue(queue: AggregateQueue, item: QueuedEvent): boolean {
      if (!insert(queue, item)) return false;
      applying.schedule(queue);
      return true;
    },
    /** Leaves an event to the catch-up. */
    defer: (queue: AggregateQueue, item: QueuedEvent) => defer(queue, item, work),
    allSaved,
    stop: () => (isStopped = true),
  };
}
