import { setTimeout as sleep } from 'node:timers/promises';
import { batch } from '@parley/queues';

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

  async function writeAll(outcomes: readonly { readonly aggregateId: string; readonly item: Item }[]) {
    const { aggregateId } = outcomes[0]!;
    const items = outcomes.map(({ item }) => item);
    // The lease may last until the database is back; otherwise another process has it by then.
    for (let failures = 0; ; await sleep(retryMs)) {
      try {
        await write(aggregateId, items);
        return items.map(() => undefined);
      } catch (error) {
        if (!isUnreachable(error)) failures += 1;
        if (isStopped() || failures === triesMax || (failures > 0 && items.length > 1)) throw error;
      }
    }
  }

  const add = batch(writeAll, {
    keyBy: ({ aggregateId }) => aggregateId,
    max: Infinity,
    isRetriedAlone: () => true,
  });
  return { add: (aggregateId, item) => add({ aggregateId, item }) };
}
