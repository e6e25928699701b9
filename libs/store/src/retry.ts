import { MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';

const DUPLICATE_KEY = 11000;
const BACKOFF_MS = [20, 50, 100, 200, 400, 800, 800, 800, 800];

/**
 * Repeats `work` while the database cannot be reached: a restart takes a second or two. Only for work that may happen
 * twice; the embedded engine has no retryable writes, so a write whose answer was lost may have happened.
 */
export async function whileUnreachable<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const delay = BACKOFF_MS[attempt];
      if (delay === undefined || !isUnreachable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

/** Whether an error says "the server did not answer" rather than "the server said no". */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoError && error.hasErrorLabel('RetryableWriteError')) return true;
  return (
    error instanceof Error &&
    ['EPIPE', 'ECONNRESET', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')
  );
}

/** The name of the unique index a write collided with, or undefined when it did not fail for that. */
export function collidedIndex(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined;
  return /index: (\S+)/.exec(error.message)?.[1] ?? '_id_';
}
