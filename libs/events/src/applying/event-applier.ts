import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from '@parley/mongo';
import { batch, sharedResult } from '@parley/queues';
import type { ReadEvent } from '../reading/stream-reader.ts';
import { openAggregateQueues, type AggregateQueue, type QueuedEvent } from './aggregate-queues.ts';
import { startAggregateWorker } from './aggregate-worker.ts';
import type { EventApplierOptions } from './apply-chunk.ts';
import { compareTo } from './positions-store.ts';

export type EventApplier = ReturnType<typeof startEventApplier>;

/** Events of one aggregate in memory; fewer when memory is short. */
const QUEUE_MAX = 6000;
const QUEUE_MAX_WHEN_SHORT = 10;
const RETRY_MS = 500;

/**
 * Applies the events of the partitions it is assigned: sequentially within an aggregate, aggregates concurrently, companies
 * in turn. An aggregate that fails or has too many events waiting is marked as behind in the database and read from the
 * stream again later, so that it neither fills the memory nor holds back the cursor.
 */
export function startEventApplier(options: EventApplierOptions) {
  const { follower, backgroundWork, log } = options;
  const memory = countEventsInMemory();
  const worker = startAggregateWorker(options);
  const queues = openAggregateQueues(options, worker.resume);
  const enqueueAll = eventSorting(options, { memory, worker, queues });
  let isStopped = false;

  const accept = batch(
    sharedResult((items: readonly QueuedEvent[]) => backgroundWork.during(() => enqueueUntilDone(items))),
    options.batching,
  );

  async function enqueueUntilDone(items: readonly QueuedEvent[]): Promise<void> {
    while (!isStopped) {
      try {
        return await enqueueAll(items);
      } catch (error) {
        log.warn({ err: error, follower }, 'events not accepted; retrying');
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    accept: (event: ReadEvent) => void accept(memory.hold(event)),
    /** Resolves when there is memory for more events. */
    waitForCapacity: memory.waitForCapacity,
    /** Ends the work on all other partitions. Events that were not started are left to the next owner. */
    async drop(keep: readonly number[]): Promise<void> {
      await queues.keep(keep);
      await worker.allSaved();
    },
    /** Takes up what is behind in partitions that are new here. */
    add: queues.own,
    /** Events of partitions that were not started will be read again. */
    discard(service: string, partitions: readonly number[]): void {
      const fits = (item: QueuedEvent) => item.service === service && partitions.includes(item.partition);
      queues.discard(fits);
      memory
        .items()
        .filter(fits)
        .forEach((item) => item.discard());
    },
    waiting: memory.count,
    /** Resolves when the events that are waiting now are no more: whether all of them were applied. */
    settled: memory.settled,
    behind: queues.countBehind,
    stop(): void {
      isStopped = true;
      worker.stop();
      memory.stop();
    },
  };
}

/** Returns what puts events that have arrived into the queues of their aggregates. */
function eventSorting(
  { apply, relevant, onApplied, withoutPositions = false }: EventApplierOptions,
  parts: {
    readonly memory: ReturnType<typeof countEventsInMemory>;
    readonly worker: ReturnType<typeof startAggregateWorker>;
    readonly queues: ReturnType<typeof openAggregateQueues>;
  },
) {
  const { memory, worker, queues } = parts;

  /** Without the database the same events are tried again; another failure may be that of one of them. */
  async function applyAll(items: readonly QueuedEvent[]): Promise<boolean> {
    try {
      await apply(items.map(({ event }) => event));
      return true;
    } catch (error) {
      if (isUnreachable(error)) throw error;
      return false;
    }
  }

  /** False for an event that was applied before, or waits already. */
  function enqueue(queue: AggregateQueue, item: QueuedEvent): boolean {
    if (compareTo(queue.position, item.event.aggregateSequence) === 'applied') return false;
    const max = memory.isShort() ? QUEUE_MAX_WHEN_SHORT : QUEUE_MAX;
    if (!queue.behind && queue.items.length < max) return worker.enqueue(queue, item);
    worker.defer(queue, item);
    return true;
  }

  function skip(item: QueuedEvent): void {
    onApplied(item);
    item.done();
  }

  return async (items: readonly QueuedEvent[]): Promise<void> => {
    if (withoutPositions && (await applyAll(items))) return items.forEach(skip);
    const areRelevant = await relevant?.(items.map(({ event }) => event));
    const queueOf = await queues.find(areRelevant ? items.filter((_, index) => areRelevant[index]) : items);
    for (const [index, item] of items.entries()) {
      if (!memory.holds(item)) continue;
      if (!queues.owns(item.partition)) item.discard();
      else if ((areRelevant && !areRelevant[index]) || !enqueue(queueOf(item), item)) skip(item);
    }
  };
}

/** Waits for events that were in memory at some time. */
interface Observer {
  readonly left: Set<QueuedEvent>;
  areDone: boolean;
  resolve(areDone: boolean): void;
}

const EVENTS_MAX = 20_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** Counts the events in memory, so that reading pauses when there are too many. */
export function countEventsInMemory() {
  const held = new Set<QueuedEvent>();
  const observers = new Set<Observer>();
  let paused: PromiseWithResolvers<void> | undefined;
  let bytes = 0;
  let isStopped = false;
  const hasCapacity = () => isStopped || (held.size < EVENTS_MAX && bytes < BYTES_MAX);

  function release(item: QueuedEvent, isDone: boolean): void {
    if (!held.delete(item)) return;
    bytes -= item.bytes;
    if (hasCapacity()) resume();
    for (const observer of observers) {
      if (!observer.left.delete(item)) continue;
      observer.areDone &&= isDone;
      if (observer.left.size > 0) continue;
      observers.delete(observer);
      observer.resolve(observer.areDone);
    }
  }

  function resume(): void {
    paused?.resolve();
    paused = undefined;
  }

  return {
    /** Counts an event until it is completed or discarded. */
    hold(event: ReadEvent): QueuedEvent {
      const item: QueuedEvent = {
        ...event,
        receivedAtMs: performance.now(),
        done() {
          release(item, true);
          event.done();
        },
        discard: () => release(item, false),
      };
      held.add(item);
      bytes += event.bytes;
      return item;
    },
    holds: (item: QueuedEvent) => held.has(item),
    items: () => [...held],
    count: () => held.size,
    /** More than half of the memory is used: aggregates may keep fewer events. */
    isShort: () => held.size > EVENTS_MAX / 2 || bytes > BYTES_MAX / 2,
    /** Resolves when there is memory for more. */
    async waitForCapacity(): Promise<void> {
      if (!hasCapacity()) await (paused ??= Promise.withResolvers()).promise;
    },
    /** Resolves when the events that are in memory now have left it, with true when all of them are completed. */
    settled: () =>
      held.size === 0
        ? Promise.resolve(true)
        : new Promise<boolean>((resolve) => observers.add({ left: new Set(held), areDone: true, resolve })),
    stop(): void {
      isStopped = true;
      resume();
      for (const { resolve } of observers) resolve(false);
      observers.clear();
    },
  };
}
