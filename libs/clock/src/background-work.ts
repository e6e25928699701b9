/**
 * Counts background work, so that a test clock can say "everything that came due has been done".
 * A service has one; timers, the relay and the followers report to it.
 */
export interface BackgroundWork {
  /** Runs `work` while counting it as under way. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Adds a question to ask before the service counts as settled: how much is still to be done? One that fails counts as one. */
  addBacklog(backlog: () => Promise<number>): void;
  /** What is under way or waiting now, and how much has been finished since the start. */
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
