/** Runs work of one key sequentially, in the order it was added; work of other keys does not wait. */
export interface KeyedQueue {
  /** The result of `work`; failures of earlier work do not matter. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** True while work of the key is waiting or in progress. */
  has(key: string): boolean;
  /** The number of keys with work; idle keys use no memory. */
  size(): number;
}

/**
 * Without `runMaxMs` strictly sequential. With it the queue only avoids conflicts: work that has run for this long is not
 * waited for any longer, so that hanging work delays the next one for no longer than that. Later work still starts one
 * after the other: a long queue that started all at once would conflict with itself and make no progress.
 */
export function keyedQueue(runMaxMs?: number): KeyedQueue {
  /** Keyed by key: resolves when the next work may start. */
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = tails.get(key);
      const { promise: own, resolve } = Promise.withResolvers<void>();
      tails.set(key, own);
      const startNext = () => {
        resolve();
        if (tails.get(key) === own) tails.delete(key);
      };
      if (before) await before;
      const limit = runMaxMs === undefined ? undefined : setTimeout(startNext, runMaxMs);
      try {
        return await work();
      } finally {
        clearTimeout(limit);
        startNext();
      }
    },
    has: (key) => tails.has(key),
    size: () => tails.size,
  };
}
