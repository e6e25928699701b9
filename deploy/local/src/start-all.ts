/** Something that was started and can be stopped. */
export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Starts components in parallel. When one fails, or `signal` is aborted, the others are aborted or stopped before the
 * error is passed on: nothing half-started is left.
 */
export async function startAll<T extends Stoppable>(
  starters: readonly ((signal: AbortSignal) => Promise<T>)[],
  signal: AbortSignal,
): Promise<T[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  let first: unknown;
  const results = await Promise.allSettled(
    starters.map((start) =>
      start(either).catch((error: unknown) => {
        first ??= error;
        failed.abort();
        throw error;
      }),
    ),
  );
  const started = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  if (started.length === starters.length) return started;
  await Promise.all(started.map((one) => one.stop()));
  throw first;
}
