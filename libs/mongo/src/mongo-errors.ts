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
