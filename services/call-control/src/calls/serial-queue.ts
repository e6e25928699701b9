/** Does work on one key strictly one after the other, in the order it was added; work on other keys does not wait. */
export interface SerialQueue {
  add<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Whether work on the key is waiting or under way. */
  has(key: string): boolean;
}

export function serialQueue(): SerialQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    add(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(work, work);
      const tail = result
        .catch(() => {})
        .finally(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return result;
    },
    has: (key) => tails.has(key),
  };
}
