import { LRUCache } from 'lru-cache';

export interface CacheOptions {
  /** Counted from the start of a read; with 0 only requests at the same time share an answer. */
  readonly ageMaxMs: number;
  readonly max: number;
  /** Replaced in tests. */
  readonly elapsedMs?: () => number;
}

/** Answers by key. Requests at the same time share one read, and a failure is not kept. */
export interface Cache<Value> {
  get(key: string, read: () => Promise<Value>): Promise<Value>;
  /** An answer that is being read is not kept either. */
  delete(key: string): void;
  clear(): void;
}

/**
 * Where it holds what others may change: whoever changes it waits for `ageMaxMs` before the change is confirmed, or announces it by an
 * event that deletes the answer. From then on no process answers what it read before.
 */
export function cache<Value>({ ageMaxMs, max, elapsedMs = () => performance.now() }: CacheOptions): Cache<Value> {
  const answers = new LRUCache<string, Promise<Value>>({
    max,
    ttl: ageMaxMs,
    ttlResolution: 0,
    perf: { now: elapsedMs },
  });
  return {
    get(key, read) {
      const known = answers.get(key);
      if (known) return known;
      const start = elapsedMs();
      const answer = read();
      answers.set(key, answer, { start });
      const forget = () => answers.peek(key) === answer && answers.delete(key);
      answer.then(() => ageMaxMs === 0 && forget(), forget);
      return answer;
    },
    delete: (key) => void answers.delete(key),
    clear: () => answers.clear(),
  };
}
