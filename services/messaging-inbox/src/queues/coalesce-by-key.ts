/**
 * Runs work for a key one at a time; requests that arrive while it runs share the next run. A run starts after every
 * request it serves was made, so it sees what they have written. They get its result.
 */
export function coalesceByKey<Item, Result = void>(
  work: (key: string, items: readonly Item[]) => Promise<Result>,
): (key: string, item: Item) => Promise<Result> {
  interface Run {
    readonly items: Item[];
    readonly done: Promise<Result>;
  }
  const waiting = new Map<string, Run>();
  const running = new Map<string, Promise<Result>>();

  function start(key: string): Run {
    const items: Item[] = [];
    const before: Promise<unknown> = running.get(key) ?? Promise.resolve();
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
