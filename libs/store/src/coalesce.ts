interface Request<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Batches the requests that arrive while an earlier batch is under way. A single request is executed at once; under load
 * a hundred of them cost one round trip to the database. `execute` answers in the order of its items.
 */
export function coalesce<Item, Result>(
  execute: (items: readonly Item[]) => Promise<readonly Result[]>,
  batchMax = 200,
): (item: Item) => Promise<Result> {
  const waiting: Request<Item, Result>[] = [];
  let executing = false;

  async function executeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      try {
        const results = await execute(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    executing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (executing) return;
      executing = true;
      // Requests of the same tick belong to the first batch.
      queueMicrotask(() => void executeAll());
    });
}
