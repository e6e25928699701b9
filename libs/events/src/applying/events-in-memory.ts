import type { QueuedEvent } from './aggregate-queue.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';

export type EventsInMemory = ReturnType<typeof countEventsInMemory>;

const EVENTS_MAX = 20_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** Counts the events in memory, so that reading pauses when there are too many. */
export function countEventsInMemory() {
  const held = new Set<QueuedEvent>();
  /** Called with every event that leaves the memory. */
  const observers = new Set<(item: QueuedEvent, isDone: boolean) => void>();
  const stopped = Promise.withResolvers<false>();
  let paused = Promise.withResolvers<void>();
  let bytes = 0;
  let isStopped = false;
  const hasCapacity = () => isStopped || (held.size < EVENTS_MAX && bytes < BYTES_MAX);

  function release(item: QueuedEvent, isDone: boolean): void {
    if (!held.delete(item)) return;
    bytes -= item.bytes;
    observers.forEach((observe) => observe(item, isDone));
    if (!hasCapacity()) return;
    paused.resolve();
    paused = Promise.withResolvers();
  }

  /** Resolves when all of them have left the memory: whether all of them are completed. */
  function allDone(items: Set<QueuedEvent>): Promise<boolean> {
    return new Promise((resolve) => {
      let areDone = true;
      const observe = (item: QueuedEvent, isDone: boolean) => {
        if (!items.delete(item)) return;
        areDone &&= isDone;
        if (items.size > 0) return;
        observers.delete(observe);
        resolve(areDone);
      };
      observers.add(observe);
    });
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
    /** More than half of the memory is used: aggregates may keep fewer events. */
    isShort: () => held.size > EVENTS_MAX / 2 || bytes > BYTES_MAX / 2,
    /** Resolves when there is memory for more. */
    waitForCapacity: () => (hasCapacity() ? Promise.resolve() : paused.promise),
    count: () => held.size,
    /** Resolves when the events that are in memory now have left it, with true when all of them are completed. */
    settled: async () => held.size === 0 || Promise.race([allDone(new Set(held)), stopped.promise]),
    stop() {
      isStopped = true;
      paused.resolve();
      stopped.resolve(false);
    },
  };
}
