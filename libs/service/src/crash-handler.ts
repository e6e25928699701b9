/** What ends a process when nobody handles it. */
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Stops the process after an error that nobody handled. Its state is not to be trusted any more, so it never goes on
 * as if nothing had happened; it finishes what is in hand, and whoever runs it starts another one.
 */
export function stopOnCrash(report: (event: string, error: unknown) => void, stop: (exitCode: number) => void): void {
  for (const event of EVENTS) {
    process.on(event, (error: unknown) => {
      try {
        report(event, error);
      } finally {
        stop(1);
      }
    });
  }
}
