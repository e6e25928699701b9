import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { QueuedEvent } from './aggregate-queue.ts';
import { arrivalRate } from './arrival-rate.ts';

/** Collects events that arrive, and passes them on in batches, one after the other. */
export interface EventIntake {
  accept(event: QueuedEvent): void;
  /** Frees those that were not passed on yet: they will be read again. */
  discardWaiting(): void;
  stop(): void;
}

export interface EventIntakeOptions {
  readonly follower: string;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
  /** Under load, events are collected for this time. */
  readonly waitMs: number;
  /** Those that arrive sooner after the last ones wait for the rest of this time. */
  readonly spacingMs: number;
  /** A batch that it rejects is passed on again. */
  readonly ingest: (batch: readonly QueuedEvent[]) => Promise<void>;
}

const BATCH_MAX = 500;
const RETRY_MS = 500;

export function openEventIntake(options: EventIntakeOptions): EventIntake {
  const { follower, backgroundWork, log, waitMs, spacingMs, ingest } = options;
  const rate = arrivalRate(waitMs);
  const arrived: QueuedEvent[] = [];
  let running: Promise<void> | undefined;
  let takenInAt = -Infinity;
  let stopped = false;

  function start(): void {
    running ??= backgroundWork.during(takeInAll).finally(() => {
      running = undefined;
      if (arrived.length > 0 && !stopped) start(); // arrived between the last look and now
    });
  }

  async function takeInAll(): Promise<void> {
    while (arrived.length > 0 && !stopped) {
      const delayMs = rate.isLoad() ? waitMs : takenInAt + spacingMs - performance.now();
      if (delayMs > 0) await sleep(delayMs);
      takenInAt = performance.now();
      const batch = arrived.splice(0, BATCH_MAX);
      try {
        await ingest(batch);
      } catch (error) {
        log.warn({ err: error, follower }, 'events not accepted; retrying');
        arrived.unshift(...batch);
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    accept(event) {
      rate.count();
      arrived.push(event);
      start();
    },
    discardWaiting: () => arrived.splice(0).forEach((event) => event.discard()),
    stop: () => (stopped = true),
  };
}
