interface Request<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Answers what is requested within a time together, for work that is in no hurry: the first request of a batch waits for that
 * long. `execute` returns results in the order of its items.
 */
export function gather<Item, Result>(
  execute: (items: readonly Item[]) => Promise<readonly Result[]>,
  waitMs: number,
): (item: Item) => Promise<Result> {
  let batch: Request<Item, Result>[] = [];

  async function executeBatch(): Promise<void> {
    const requests = batch;
    batch = [];
    try {
      const results = await execute(requests.map(({ item }) => item));
      requests.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      requests.forEach(({ reject }) => reject(error));
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (batch.length === 0) setTimeout(() => void executeBatch(), waitMs);
      batch.push({ item, resolve, reject });
    });
}
