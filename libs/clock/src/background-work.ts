export type BackgroundWork = ReturnType<typeof trackBackgroundWork>;

/**
 * Counts background work, so that the test clock can wait until all due work is done.
 * A service has one; timers, the relay and the followers report to it.
 */
export function trackBackgroundWork() {
  let busy = 0;
  let finished = 0;
  const backlogs: (() => Promise<number>)[] = [];
  return {
    /** Runs `work` while counting it as in progress. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
        finished += 1;
      }
    },
    /** Adds a backlog that must be empty before the service counts as idle. A failing one counts as one. */
    addBacklog: (backlog: () => Promise<number>) => void backlogs.push(backlog),
    /** Work in progress or waiting, and the amount finished since the start. */
    async report(): Promise<{ busy: number; finished: number }> {
      const waiting = await Promise.all(backlogs.map((backlog) => backlog().catch(() => 1)));
      return { busy: waiting.reduce((sum, n) => sum + n, busy), finished };
    },
  };
}
