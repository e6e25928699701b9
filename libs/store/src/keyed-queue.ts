/** Does work on one key one after the other, in the order it was asked for; work on other keys does not wait. */
export interface KeyedQueue {
  /** The result of `work`; whether work before it failed makes no difference. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many keys have work; nothing is kept of the others. */
  size(): number;
}

/**
 * The queue avoids conflicts and guarantees nothing: whoever has waited `waitMaxMs` goes ahead, so that work that hangs
 * holds up nobody for longer than that.
 */
export function keyedQueue(waitMaxMs: number): KeyedQueue {
  /** For each key the end of the last work that was asked for. */
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = tails.get(key);
      const { promise: own, resolve: end } = Promise.withResolvers<void>();
      tails.set(key, own);
      if (before) await atMost(waitMaxMs, before);
      try {
        return await work();
      } finally {
        end();
        if (tails.get(key) === own) tails.delete(key);
      }
    },
    size: () => tails.size,
  };
}

function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    work
      .finally(() => {
        clearTimeout(timer);
        resolve();
      })
      .catch(() => {});
  });
}
