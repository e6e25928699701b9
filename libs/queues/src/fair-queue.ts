/** Waiting items, taken round-robin by key (a company, an aggregate): one with many items does not delay the others. */
export interface FairQueue<Item> {
  add(key: string, item: Item): void;
  /** The next item, round-robin by key; keys whose next item may not be taken are passed over. */
  take(mayTake?: (item: Item) => boolean): Item | undefined;
  /** Removes and returns everything. */
  clear(): Item[];
  size(): number;
  sizeOf(key: string): number;
}

/** `isBefore`: an item that overtakes those of the same key that were added before it. */
export function fairQueue<Item>(isBefore: (item: Item, other: Item) => boolean = () => false): FairQueue<Item> {
  /** In round-robin order: a served key moves to the end. */
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    add(key, item) {
      const queue = queues.get(key);
      if (queue) queue.splice(queue.findLastIndex((other) => !isBefore(item, other)) + 1, 0, item);
      else queues.set(key, [item]);
      size += 1;
    },
    take(mayTake = () => true) {
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
    clear() {
      const all = [...queues.values()].flat();
      queues.clear();
      size = 0;
      return all;
    },
    size: () => size,
    sizeOf: (key) => queues.get(key)?.length ?? 0,
  };
}
