import type { QueuedEvent } from './aggregate-queue.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';

/** Counts the events in memory, so that reading pauses when there are too many. */
export interface WaitingEvents {
  /** Counts an event until it is completed or discarded. */
  hold(event: ReadEvent): QueuedEvent;
  /** More than half of the memory is used: aggregates may keep fewer events. */
  isShort(): boolean;
  /** Resolves when there is memory for more. */
  waitForCapacity(): Promise<void>;
  count(): number;
  /** Resolves when the events that are in memory now are no longer waiting, with true when all of them are completed. */
  settled(): Promise<boolean>;
  stop(): void;
}

/** Waits for events that were in memory at some time. */
interface Observer {
  readonly left: Set<ReadEvent>;
  allDone: boolean;
  resolve(allDone: boolean): void;
}

const EVENTS_MAX = 20_000;
const BYTES_MAX = 32 * 1024 * 1024;

export function countWaitingEvents(): WaitingEvents {
  const paused: (() => void)[] = [];
  const held = new Set<ReadEvent>();
  const observers = new Set<Observer>();
  let bytes = 0;
  let stopped = false;
  const hasCapacity = () => stopped || (held.size < EVENTS_MAX && bytes < BYTES_MAX);
  const resume = () => paused.splice(0).forEach((resolve) => resolve());
  function tell(observer: Observer, event: ReadEvent, isDone: boolean): void {
    if (!observer.left.delete(event)) return;
    observer.allDone &&= isDone;
    if (observer.left.size > 0) return;
    observers.delete(observer);
    observer.resolve(observer.allDone);
  }
  return {
    hold(event) {
      held.add(event);
      bytes += event.bytes;
      const release = (isDone: boolean) => {
        if (!held.delete(event)) return;
        bytes -= event.bytes;
        if (hasCapacity()) resume();
        for (const observer of observers) tell(observer, event, isDone);
      };
      const done = () => {
        release(true);
        event.done();
      };
      return { ...event, receivedAtMs: performance.now(), done, discard: () => release(false) };
    },
    isShort: () => held.size > EVENTS_MAX / 2 || bytes > BYTES_MAX / 2,
    waitForCapacity: () => (hasCapacity() ? Promise.resolve() : new Promise((resolve) => paused.push(resolve))),
    count: () => held.size,
    settled: () =>
      held.size === 0
        ? Promise.resolve(true)
        : new Promise((resolve) => observers.add({ left: new Set(held), allDone: true, resolve })),
    stop() {
      stopped = true;
      resume();
      for (const { resolve } of observers) resolve(false);
      observers.clear();
    },
  };
}
