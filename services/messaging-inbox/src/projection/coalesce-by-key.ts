/**
 * Runs work for a key one at a time; requests that arrive while it runs share the next run. A run starts after every
 * request it serves was made, so it sees what they have written.
 */
export function coalesceByKey<Item>(
  work: (key: string, items: readonly Item[]) => Promise<void>,
): (key: string, item: Item) => Promise<void> {
  interface Run {
    readonly items: Item[];
    readonly done: Promise<void>;
  }
  const waiting = new Map<string, Run>();
  const running = new Map<string, Promise<void>>();

  function start(key: string): Run {
    const items: Item[] = [];
    const before = running.get(key) ?? Promise.resolve();
    const done = before
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        running.set(key, done);
        return work(key, items);
      })
      .finally(() => {
        if (running.get(key) === done) running.delete(key);
      });
    return { items, done };
  }

  return (key, item) => {
    const run = waiting.get(key) ?? start(key);
    waiting.set(key, run);
    run.items.push(item);
    return run.done;
  };
}
