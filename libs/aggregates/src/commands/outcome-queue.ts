import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting<Item> {
  readonly item: Item;
  failures: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** Writes outcomes of commands. Those of one document that come during a write are written together by the next one. */
export interface OutcomeQueue<Item> {
  /** Resolves when the outcome is stored; rejects only for the outcome's own sake. */
  add(aggregateId: string, item: Item): Promise<void>;
}

export interface OutcomeQueueOptions<Item> {
  /** Stores the outcomes of one document in one write. */
  write: (aggregateId: string, items: readonly Item[]) => Promise<void>;
  /** Errors after which the write is repeated for as long as this process runs. */
  isUnreachable: (error: unknown) => boolean;
  isStopped: () => boolean;
  retryMs: number;
  /** The number of attempts of one outcome on its own. */
  triesMax: number;
}

export function outcomeQueue<Item>(options: OutcomeQueueOptions<Item>): OutcomeQueue<Item> {
  const { write, isUnreachable, isStopped, retryMs, triesMax } = options;
  const queues = new Map<string, Waiting<Item>[]>();

  /** Those of the batch that have to be written again. */
  async function writeBatch(id: string, batch: readonly Waiting<Item>[]): Promise<Waiting<Item>[]> {
    try {
      await write(
        id,
        batch.map(({ item }) => item),
      );
      batch.forEach(({ resolve }) => resolve());
      return [];
    } catch (error) {
      if (isUnreachable(error) && !isStopped()) return [...batch];
      if (batch.length === 1) return retryOrReject(batch[0]!, error);
      // One that cannot be written must not take the others with it.
      const again: Waiting<Item>[] = [];
      for (const one of batch) again.push(...(await writeBatch(id, [one])));
      return again;
    }
  }

  function retryOrReject(one: Waiting<Item>, error: unknown): Waiting<Item>[] {
    one.failures += 1;
    if (one.failures < triesMax && !isStopped()) return [one];
    one.reject(error);
    return [];
  }

  async function writeAll(id: string, waiting: Waiting<Item>[]): Promise<void> {
    while (waiting.length > 0) {
      const again = await writeBatch(id, waiting.splice(0));
      if (again.length === 0) continue;
      // The lease may last until the database is back; otherwise another process has it by then.
      await sleep(retryMs);
      waiting.unshift(...again);
    }
    queues.delete(id);
  }

  return {
    add: (id, item) =>
      new Promise((resolve, reject) => {
        const one = { item, failures: 0, resolve, reject };
        const waiting = queues.get(id);
        if (waiting) return void waiting.push(one);
        const queue = [one];
        queues.set(id, queue);
        writeAll(id, queue).catch(reject);
      }),
  };
}
