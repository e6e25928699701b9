/**
 * Counts background work, so that the test clock can wait until all due work is done.
 * A service has one; timers, the relay and the followers report to it.
 */
export interface BackgroundWork {
  /** Runs `work` while counting it as in progress. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Adds a backlog that must be empty before the service counts as idle. A failing one counts as one. */
  addBacklog(backlog: () => Promise<number>): void;
  /** Work in progress or waiting, and the amount finished since the start. */
  report(): Promise<{ busy: number; finished: number }>;
}

/** A count of background work that has nothing to do yet. */
export function trackBackgroundWork(): BackgroundWork {
  let busy = 0;
  let finished = 0;
  const backlogs: (() => Promise<number>)[] = [];
  return {
    async during(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
        finished += 1;
      }
    },
    addBacklog: (backlog) => void backlogs.push(backlog),
    async report() {
      const waiting = await Promise.all(backlogs.map((backlog) => backlog().catch(() => 1)));
      return { busy: waiting.reduce((sum, n) => sum + n, busy), finished };
    },
  };
}
