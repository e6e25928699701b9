import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { type Clock, type MovableClock, msUntilMultiple } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';

export interface PollingOptions {
  /** What is polled for, in the log. */
  readonly name: string;
  readonly log: Logger;
  readonly pollMs: number;
  /** The interval while nothing is expected; all processes poll at its multiples then, and share commands (`hasAny`). */
  readonly quietPollMs: () => number;
  /** How long work is expected after the last of it. */
  readonly busyMs?: number;
  /** Finds work and starts it. Not called again before it has ended. */
  readonly poll: () => Promise<void>;
}

export type Polling = ReturnType<typeof startPolling>;

/** How late the answer of a poll may be: what is due until then is found by the poll before. */
export const POLL_LATE_MS = 250;
const BUSY_MS = 30_000;

/** Polls for work until it is stopped: frequently while there is some, rarely otherwise. */
export function startPolling(options: PollingOptions) {
  const { name, log, pollMs, quietPollMs, busyMs = BUSY_MS, poll } = options;
  let stopped = false;
  let isRequested = false;
  let hasFailed = false;
  let polling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let busyUntil = performance.now() + busyMs;
  let nextPollAt = 0;

  const isQuiet = () => performance.now() > busyUntil;

  /** While polls are rare there is no timer in between, which would only wake the process. */
  function schedule(): void {
    clearTimeout(timer);
    if (stopped) return;
    const inMs = isQuiet() && !hasFailed ? msUntilMultiple(quietPollMs()) : pollMs;
    nextPollAt = performance.now() + inMs;
    timer = setTimeout(() => {
      schedule();
      pollNow();
    }, inMs);
  }

  async function pollWhileRequested(): Promise<void> {
    while (isRequested && !stopped) {
      isRequested = false;
      await poll();
      hasFailed = false;
    }
  }

  function onError(error: unknown): void {
    // The next poll tries again.
    isRequested = false;
    hasFailed = true;
    schedule();
    if (!isUnreachable(error)) log.error({ err: error, work: name }, 'cannot look for due work');
  }

  /** At once; again if a poll is in progress, which may have missed what is new. */
  function pollNow(): void {
    if (stopped) return;
    isRequested = true;
    // Outside of any request: due work has its own deadline, principal and trace.
    polling ??= context
      .with(ROOT_CONTEXT, pollWhileRequested)
      .catch(onError)
      .finally(() => {
        polling = undefined;
        if (isRequested) pollNow();
      });
  }

  schedule();
  return {
    pollNow,
    /** There is work, or there will be: polls are frequent for a while. */
    expectWork(): void {
      const wasQuiet = isQuiet();
      busyUntil = performance.now() + busyMs;
      if (wasQuiet) schedule();
    },
    get isQuiet(): boolean {
      return isQuiet();
    },
    get msUntilNextPoll(): number {
      return Math.max(0, nextPollAt - performance.now());
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await polling;
    },
  };
}

/** Polls after each move of the clock. After one back, `pullBack` makes what was planned wait no longer than it was meant to. */
export function pollWhenMoved(
  clock: Clock | MovableClock,
  work: {
    readonly running: ReadonlySet<Promise<void>>;
    readonly isStopped: () => boolean;
    readonly onMoved?: () => void;
    readonly pullBack: () => Promise<void>;
    readonly pollNow: () => void;
  },
): void {
  if (!('onMove' in clock)) return;
  clock.onMove(async ({ back }) => {
    if (work.isStopped()) return;
    work.onMoved?.();
    if (back) {
      await work.pullBack();
      // Work in progress may still write times from before the move.
      for (const one of work.running) void one.then(work.pullBack).catch(() => undefined);
    }
    work.pollNow();
  });
}
