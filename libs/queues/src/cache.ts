import { LRUCache } from 'lru-cache';

export interface CacheOptions {
  /** Counted from the start of a read; with 0 only requests at the same time share an answer. */
  readonly ageMaxMs: number;
  readonly max: number;
  /** Replaced in tests. */
  readonly elapsedMs?: () => number;
}

interface Entry<Value> {
  readonly answer: Promise<Value>;
  /** Undefined while it is being read. */
  read?: { readonly value: Value };
}

/**
 * Answers by key. Requests at the same time share one read, and a failure is not kept.
 *
 * Where it holds what others may change: whoever changes it waits for `ageMaxMs` before the change is confirmed, or announces it by an
 * event that deletes the answer. From then on no process answers what it read before.
 */
export function cache<Value>({ ageMaxMs, max, elapsedMs = () => performance.now() }: CacheOptions) {
  const entries = new LRUCache<string, Entry<Value>>({
    max,
    ttl: ageMaxMs,
    ttlResolution: 0,
    perf: { now: elapsedMs },
  });

  function get(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = entries.get(key);
    if (known) return known.answer;
    const start = elapsedMs();
    const entry: Entry<Value> = { answer: read() };
    entries.set(key, entry, { start });
    const forget = () => entries.peek(key) === entry && entries.delete(key);
    entry.answer.then((value) => {
      entry.read = { value };
      if (ageMaxMs === 0) forget();
    }, forget);
    return entry.answer;
  }

  return {
    get,
    /** Several keys: those that are not cached are read together. Keys without an answer are left out, and cached as well. */
    async getMany(
      keys: readonly string[],
      read: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
    ): Promise<ReadonlyMap<string, Value>> {
      const missing: string[] = [];
      const reading = Promise.withResolvers<ReadonlyMap<string, Value>>();
      const answers = [...new Set(keys)].map((key): Promise<readonly [string, Value]> => {
        const readTogether = () => {
          missing.push(key);
          return reading.promise.then((found) => found.get(key) as Value);
        };
        return get(key, readTogether).then((answer) => [key, answer]);
      });
      if (missing.length > 0) reading.resolve(read(missing));
      const found = await Promise.all(answers);
      return new Map(found.filter(([, answer]) => answer !== undefined));
    },
    /** Also while it is being read. */
    has: (key: string) => entries.has(key),
    /** An answer that is being read is not kept either. */
    delete: (key: string) => void entries.delete(key),
    /** Deletes the answers that are outdated, and those that are being read, because they may be. */
    deleteWhere(isOutdated: (value: Value) => boolean): void {
      for (const [key, { read }] of entries.entries()) if (!read || isOutdated(read.value)) entries.delete(key);
    },
    clear: () => entries.clear(),
  };
}
