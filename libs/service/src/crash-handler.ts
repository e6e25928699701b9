/** Events of unhandled errors. */
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Stops the process after an unhandled error. Its state may be inconsistent, so it does not continue;
 * it finishes work in progress, and the supervisor restarts it.
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
