import type { QueuedEvent } from './aggregate-queue.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';

/** Counts the events in memory, so that reading pauses when there are too many. */
export interface WaitingEvents {
  /** Counts an event until it is done with or discarded. */
  hold(event: ReadEvent): QueuedEvent;
  /** More than half of the memory is used: aggregates may keep fewer events. */
  isShort(): boolean;
  /** Resolves when there is memory for more. */
  waitForCapacity(): Promise<void>;
  count(): number;
  stop(): void;
}

const EVENTS_MAX = 20_000;
const BYTES_MAX = 32 * 1024 * 1024;

export function countWaitingEvents(): WaitingEvents {
  const paused: (() => void)[] = [];
  let count = 0;
  let bytes = 0;
  let stopped = false;
  const hasCapacity = () => stopped || (count < EVENTS_MAX && bytes < BYTES_MAX);
  const resume = () => paused.splice(0).forEach((resolve) => resolve());
  return {
    hold(event) {
      let held = true;
      count += 1;
      bytes += event.bytes;
      const discard = () => {
        if (!held) return;
        held = false;
        count -= 1;
        bytes -= event.bytes;
        if (hasCapacity()) resume();
      };
      const done = () => {
        discard();
        event.done();
      };
      return { ...event, done, discard };
    },
    isShort: () => count > EVENTS_MAX / 2 || bytes > BYTES_MAX / 2,
    waitForCapacity: () => (hasCapacity() ? Promise.resolve() : new Promise((resolve) => paused.push(resolve))),
    count: () => count,
    stop() {
      stopped = true;
      resume();
    },
  };
}
