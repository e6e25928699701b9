import { LRUCache } from 'lru-cache';

/**
 * Answers again what was read a moment ago. Whoever changes something waits for `ageMaxMs` before the change is confirmed: from then on no
 * process answers what it read before.
 */
export function recentReads<Value>(
  read: (key: string) => Promise<Value>,
  options: {
    readonly ageMaxMs: number;
    readonly max: number;
    /** Replaced in tests. */
    readonly elapsedMs?: () => number;
  },
): (key: string) => Promise<Value> {
  const { ageMaxMs, max, elapsedMs = () => performance.now() } = options;
  const reads = new LRUCache<string, Promise<Value>>({
    max,
    ttl: ageMaxMs,
    ttlResolution: 0,
    perf: { now: elapsedMs },
  });
  return (key) => {
    const known = reads.get(key);
    if (known) return known;
    const start = elapsedMs();
    const value = read(key);
    reads.set(key, value, { start });
    value.catch(() => reads.peek(key) === value && reads.delete(key));
    return value;
  };
}
