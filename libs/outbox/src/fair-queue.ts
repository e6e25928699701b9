/** What waits to be done, taken from each company in turn. */
export interface FairQueue<Item> {
  add(companyId: string, item: Item): void;
  /** The next item of the company whose turn it is. */
  take(): Item | undefined;
  /** Removes and returns everything. */
  clear(): Item[];
  size(): number;
  sizeOf(companyId: string): number;
}

export function fairQueue<Item>(): FairQueue<Item> {
  /** In the order of their turns: a company that has had one goes to the end. */
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    add(companyId, item) {
      const queue = queues.get(companyId);
      if (queue) queue.push(item);
      else queues.set(companyId, [item]);
      size += 1;
    },
    take() {
      const [companyId, queue] = queues.entries().next().value ?? [];
      if (companyId === undefined || !queue) return undefined;
      const item = queue.shift();
      queues.delete(companyId);
      if (queue.length > 0) queues.set(companyId, queue);
      size -= 1;
      return item;
    },
    clear() {
      const all = [...queues.values()].flat();
      queues.clear();
      size = 0;
      return all;
    },
    size: () => size,
    sizeOf: (companyId) => queues.get(companyId)?.length ?? 0,
  };
}
