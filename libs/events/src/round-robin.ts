/** Items that wait, taken in turn by key: a key with many items does not delay the others. */
export interface RoundRobin<Item> {
  add(key: string, item: Item): void;
  take(): Item | undefined;
  size(): number;
}

export function roundRobin<Item>(): RoundRobin<Item> {
  // A Map keeps the order of insertion: a key that was served goes to the end.
  const waiting = new Map<string, Item[]>();
  let size = 0;
  return {
    add(key, item) {
      const items = waiting.get(key);
      if (items) items.push(item);
      else waiting.set(key, [item]);
      size += 1;
    },
    take() {
      const [next] = waiting;
      if (!next) return undefined;
      const [key, items] = next;
      const item = items.shift();
      waiting.delete(key);
      if (items.length > 0) waiting.set(key, items);
      size -= 1;
      return item;
    },
    size: () => size,
  };
}
