import type { QueuedEvent } from './aggregate-queue.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';

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
