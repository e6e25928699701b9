import type { BackgroundWork, Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';

/** "Last used" is for people: a minute is exact enough, and a busy credential costs one write a minute. */
const PRECISION_MS = 60_000;
const CACHED_MAX = 10_000;

/** An API key, or what an employee allowed an app. */
export interface UsedCredential {
  readonly id: string;
  readonly lastUsedAt: Date | null;
}

export interface UseRecorderOptions {
  readonly credentials: { used(id: string, now: Date): Promise<void> };
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}

/** Records the use of a credential from time to time, after the response. Also records when the clock was moved back. */
export function useRecorder({
  credentials,
  clock,
  backgroundWork,
  log,
}: UseRecorderOptions): (credential: UsedCredential) => void {
  const written = new LRUCache<string, number>({ max: CACHED_MAX });
  return ({ id, lastUsedAt }) => {
    const now = clock.now();
    const last = Math.max(written.get(id) ?? 0, lastUsedAt?.getTime() ?? 0);
    if (Math.abs(now.getTime() - last) < PRECISION_MS) return;
    written.set(id, now.getTime());
    void backgroundWork
      .during(() => credentials.used(id, now))
      .catch((error: unknown) => log.warn({ err: error }, 'last use of a credential not recorded'));
  };
}
