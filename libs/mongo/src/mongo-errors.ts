import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

const DUPLICATE_KEY = 11000;
/** Errors of a replica set during a failover or shutdown. */
const FAILOVER_CODES = new Set<unknown>([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);
const SOCKET_CODES = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ECONNREFUSED']);
const BACKOFF_MS = [20, 50, 100, 200, 400, 800];
/** A restart of the embedded engine takes one to two seconds, the choice of a new primary a few more. */
const GIVE_UP_MS = 8000;

/**
 * Repeats `work` while the database cannot be reached: a restart takes a second or two. Only for work that may happen
 * twice; the embedded engine has no retryable writes, so a write whose response was lost may have happened.
 */
export async function whileUnreachable<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const delay = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? 0;
      if (!isUnreachable(error) || performance.now() + delay > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

/** True when the server did not respond, as opposed to a refusal. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  // The driver wraps whatever ended a bulk write; a response of the server would have a code or write errors.
  if (error instanceof MongoBulkWriteError && error.code === undefined && [error.writeErrors].flat().length === 0)
    return true;
  if (error instanceof MongoError && (error.hasErrorLabel('RetryableWriteError') || FAILOVER_CODES.has(error.code)))
    return true;
  // Checks the code alone, because an error of Node's own need not be an instance of this context's Error.
  return SOCKET_CODES.has((error as NodeJS.ErrnoException | undefined)?.code);
}

/** The name of the unique index a write collided with, or undefined when it did not fail for that. */
export function collidedIndex(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined;
  return /index: (\S+)/.exec(error.message)?.[1] ?? '_id_';
}
