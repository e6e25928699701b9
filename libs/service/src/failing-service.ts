import { AsyncLocalStorage } from 'node:async_hooks';

/** The name of the running service, because a process may have several. */
const current = new AsyncLocalStorage<string>();

/** Runs something as a part of a service: whatever follows from it belongs to that service too. */
export function asService<Result>(name: string, work: () => Result): Result {
  return current.run(name, work);
}

/** A file of a service in a stack trace. */
const SERVICE_FILE = /\/services\/([a-z-]+)\/src\//;

/**
 * The service that an unhandled error came from, called while it is reported: by what was running, else by the first file
 * of a service in its stack trace. An accepted socket has no memory of who listens, so its own errors may belong to nobody.
 */
export function failingService(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined;
  return current.getStore() ?? SERVICE_FILE.exec(stack ?? '')?.[1];
}
