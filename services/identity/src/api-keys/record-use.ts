import type { BackgroundWork, Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { ApiKey } from './api-key.ts';
import type { ApiKeys } from './api-key-store.ts';

/** "Last used" is for people: a minute is exact enough, and a busy key costs one write a minute. */
const PRECISION_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Notes the use of a key now and then, behind the answer. A clock that goes back is a difference too. */
export function useRecorder(
  apiKeys: ApiKeys,
  clock: Clock,
  backgroundWork: BackgroundWork,
  log: Logger,
): (key: ApiKey) => void {
  const written = new Map<string, number>();
  return (key) => {
    const now = clock.now();
    const last = Math.max(written.get(key.id) ?? 0, key.lastUsedAt?.getTime() ?? 0);
    if (Math.abs(now.getTime() - last) < PRECISION_MS) return;
    if (written.size >= REMEMBERED_MAX) written.clear();
    written.set(key.id, now.getTime());
    void backgroundWork
      .during(() => apiKeys.used(key.id, now))
      .catch((error: unknown) => log.warn({ err: error }, 'last use of an API key not recorded'));
  };
}
