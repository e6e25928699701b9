import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

interface Request<Item, Result> {
  readonly item: Item;
  /** Runs work in the trace of the request; only the first of a batch has it. */
  readonly inContext: (<Value>(work: () => Value) => Value) | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface CoalesceOptions {
  readonly batchMax?: number;
  /** A batch that takes longer does not delay the next one. */
  readonly waitMaxMs?: number;
  /** While requests are so frequent that another one is expected within this time, a batch waits for it. */
  readonly batchWaitMs?: number;
  /** How frequent: their average interval is shorter; `batchWaitMs` unless given. */
  readonly waitBelowMs?: number;
  /** Replaced in tests. */
  readonly elapsedMs?: () => number;
}

/** The weight of the last interval between requests in their average; a longer pause counts as `INTERVAL_MAX_MS`. */
const INTERVAL_WEIGHT = 0.25;
const INTERVAL_MAX_MS = 50;

/**
 * Batches the requests that arrive while an earlier batch is in progress. A single request is executed immediately; under load
 * a hundred of them cost one round trip to the database. `execute` returns results in the order of its items. A batch belongs to
 * the trace of its first item.
 */
export function coalesce<Item, Result>(
  execute: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: CoalesceOptions = {},
): (item: Item) => Promise<Result> {
  const { batchMax = 200, waitMaxMs, batchWaitMs = 0, waitBelowMs = batchWaitMs } = options;
  const { elapsedMs = () => performance.now() } = options;
  const waiting: Request<Item, Result>[] = [];
  let executing = false;
  let requestedAt = -Infinity;
  let intervalMs = INTERVAL_MAX_MS;

  function countRequest(): void {
    const now = elapsedMs();
    intervalMs += (Math.min(now - requestedAt, INTERVAL_MAX_MS) - intervalMs) * INTERVAL_WEIGHT;
    requestedAt = now;
  }

  async function executeBatch(batch: readonly Request<Item, Result>[]): Promise<void> {
    try {
      const results = await batch[0]!.inContext!(() => execute(batch.map(({ item }) => item)));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    }
  }

  async function executeAll(): Promise<void> {
    while (waiting.length > 0) {
      if (intervalMs < waitBelowMs) await sleep(batchWaitMs);
      const executed = executeBatch(waiting.splice(0, batchMax));
      await (waitMaxMs === undefined ? executed : doneWithin(executed, waitMaxMs));
    }
    executing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (batchWaitMs > 0) countRequest();
      // Batches are full while more is waiting, so the first of each is known now. A snapshot costs as much as the rest.
      const inContext = waiting.length % batchMax === 0 ? AsyncLocalStorage.snapshot() : undefined;
      waiting.push({ item, inContext, resolve, reject });
      if (executing) return;
      executing = true;
      // Requests of the same tick belong to the first batch.
      queueMicrotask(() => void executeAll());
    });
}

function doneWithin(work: Promise<void>, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, limitMs);
    const done = () => {
      clearTimeout(limit);
      resolve();
    };
    work.then(done, done);
  });
}
