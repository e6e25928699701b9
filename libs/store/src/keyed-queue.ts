/** Does work on one key one after the other, in the order it was asked for; work on other keys does not wait. */
export interface KeyedQueue {
  /** The result of `work`; whether work before it failed makes no difference. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many keys have work; nothing is kept of the others. */
  size(): number;
}

/**
 * The queue avoids conflicts and guarantees nothing: work that has run for `runMaxMs` is not waited for any longer, so
 * that what hangs holds up the next for no longer than that. Those behind it still begin one after the other: a long
 * queue that began all at once would conflict with itself until nothing is done any more.
 */
export function keyedQueue(runMaxMs: number): KeyedQueue {
  /** For each key when the next may begin after the last work that was asked for. */
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = tails.get(key);
      const { promise: own, resolve } = Promise.withResolvers<void>();
      tails.set(key, own);
      const letNextBegin = () => {
        resolve();
        if (tails.get(key) === own) tails.delete(key);
      };
      if (before) await before;
      const limit = setTimeout(letNextBegin, runMaxMs);
      try {
        return await work();
      } finally {
        clearTimeout(limit);
        letNextBegin();
      }
    },
    size: () => tails.size,
  };
}
