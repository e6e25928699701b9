/**
 * Waiting items, taken round-robin by key (a company, an aggregate): one with many items does not delay the others. `isBefore`: an item
 * that overtakes those of the same key that were added before it.
 */
export function fairQueue<Item>(isBefore: (item: Item, other: Item) => boolean = () => false) {
  /** In round-robin order: a served key moves to the end. */
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    add(key: string, item: Item): void {
      const queue = queues.get(key);
      if (queue) queue.splice(queue.findLastIndex((other) => !isBefore(item, other)) + 1, 0, item);
      else queues.set(key, [item]);
      size += 1;
    },
    /** The next item, round-robin by key; keys whose next item may not be taken are passed over. */
    take(mayTake: (item: Item) => boolean = () => true): Item | undefined {
      for (const [key, queue] of queues) {
        if (!mayTake(queue[0]!)) continue;
        const item = queue.shift();
        queues.delete(key);
        if (queue.length > 0) queues.set(key, queue);
        size -= 1;
        return item;
      }
      return undefined;
    },
    /** Removes and returns everything. */
    clear(): Item[] {
      const all = [...queues.values()].flat();
      queues.clear();
      size = 0;
      return all;
    },
    size: () => size,
    sizeOf: (key: string) => queues.get(key)?.length ?? 0,
  };
}

/**
 * Runs work of one key sequentially, in the order it was added; work of other keys does not wait.
 *
 * Without `runMaxMs` strictly sequential. With it the queue only avoids conflicts: work that has run for this long is not
 * waited for any longer, so that hanging work delays the next one for no longer than that. Later work still starts one
 * after the other: a long queue that started all at once would conflict with itself and make no progress.
 */
export function keyedQueue(runMaxMs?: number) {
  /** Keyed by key: resolves when the next work may start. */
  const tails = new Map<string, Promise<void>>();
  return {
    /** The result of `work`; failures of earlier work do not matter. */
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
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
    /** True while work of the key is waiting or in progress. */
    has: (key: string) => tails.has(key),
    /** The number of keys with work; idle keys use no memory. */
    size: () => tails.size,
  };
}
