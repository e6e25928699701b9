import { setTimeout as sleep } from 'node:timers/promises';

/** A decision is repeated when another process has written the same document. */
const CONFLICTS_MAX = 100;
const PAUSE_MAX_MS = 50;

/** Repeats `attempt` while it is undefined because of a conflicting write of the document. */
export async function retryOnConflict<T>(
  document: string,
  attempt: () => Promise<{ result: T } | undefined>,
): Promise<T> {
  for (let conflict = 0; conflict < CONFLICTS_MAX; conflict++) {
    const done = await attempt();
    if (done) return done.result;
    await sleep(Math.random() * Math.min(2 ** conflict, PAUSE_MAX_MS));
  }
  throw new Error(`too many writers at ${document}`);
}
