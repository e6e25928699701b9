import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BatchOptions<Item> {
  /** The batches of a key follow each other, those of other keys do not wait for them; without it there is one key. */
  readonly keyBy?: (item: Item) => string;
  readonly max?: number;
  /** How long a batch waits for more items while they are frequent. */
  readonly waitMs?: number;
  /** Items are frequent while their average interval is shorter than this; `waitMs` unless given, and always with `Infinity`. */
  readonly frequentMs?: number;
  /** A batch begins this long after the one before: what follows an item shortly shares the next one. */
  readonly spacingMs?: number;
  /** A batch that takes longer does not delay the next one. */
  readonly runMaxMs?: number;
  /** Whether the items of a batch that has failed are executed one by one, because the failure may be that of one of them. */
  readonly isRetriedAlone?: (error: unknown) => boolean;
  /** Replaced in tests. */
  readonly elapsedMs?: () => number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** Runs work in the trace of the item; only the first of a batch has it. */
  readonly inContext: (<Value>(work: () => Value) => Value) | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The weight of the last interval between items in their average; a longer pause counts as this one, or as `waitMs` if that is longer. */
const INTERVAL_WEIGHT = 0.25;
const PAUSE_MS = 50;

/**
 * Executes items in batches: one at a time for each key, and what arrives meanwhile is the next one. A single item is executed
 * immediately; under load a hundred of them cost one round trip to the database. Items of the same tick belong to one batch.
 * `execute` returns results in the order of its items. A batch belongs to the trace of its first item.
 */
export function batch<Item, Result>(
  execute: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const { keyBy = () => '', max = 200, waitMs = 0, frequentMs = waitMs, spacingMs = 0 } = options;
  const { runMaxMs, isRetriedAlone, elapsedMs = () => performance.now() } = options;
  const queues = new Map<string, Waiting<Item, Result>[]>();
  let arrivedAt = -Infinity;
  let begunAt = -Infinity;
  const pauseMs = Math.max(PAUSE_MS, waitMs);
  let intervalMs = pauseMs;

  function countArrival(): void {
    const now = elapsedMs();
    intervalMs += (Math.min(now - arrivedAt, pauseMs) - intervalMs) * INTERVAL_WEIGHT;
    arrivedAt = now;
  }

  async function executeBatch(items: readonly Waiting<Item, Result>[]): Promise<void> {
    const inContext = items[0]!.inContext ?? ((work) => work());
    try {
      const results = await inContext(() => execute(items.map(({ item }) => item)));
      items.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (items.length > 1 && isRetriedAlone?.(error)) for (const one of items) await executeBatch([one]);
      else items.forEach(({ reject }) => reject(error));
    }
  }

  async function executeAll(key: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) {
      const delayMs = intervalMs < frequentMs ? waitMs : Math.min(spacingMs, begunAt + spacingMs - elapsedMs());
      if (delayMs > 0) await sleep(delayMs);
      begunAt = elapsedMs();
      const executed = executeBatch(waiting.splice(0, max));
      await (runMaxMs === undefined ? executed : settledWithin(executed, runMaxMs));
    }
    queues.delete(key);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waitMs > 0) countArrival();
      const key = keyBy(item);
      const known = queues.get(key);
      const waiting = known ?? [];
      // Batches are full while more is waiting, so the first of each is known now. A snapshot costs as much as the rest.
      const inContext = waiting.length % max === 0 ? AsyncLocalStorage.snapshot() : undefined;
      waiting.push({ item, inContext, resolve, reject });
      if (known) return;
      queues.set(key, waiting);
      queueMicrotask(() => void executeAll(key, waiting));
    });
}

/** For `execute`, where all items of a batch have the same result. */
export function sharedResult<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
): (items: readonly Item[]) => Promise<readonly Result[]> {
  return async (items) => {
    const result = await work(items);
    return items.map(() => result);
  };
}

function settledWithin(work: Promise<void>, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, limitMs);
    const settled = () => {
      clearTimeout(limit);
      resolve();
    };
    work.then(settled, settled);
  });
}
