import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from '@parley/mongo';
import { batch } from '@parley/queues';

/**
 * Writes outcomes of commands: those of one document that come during a write are written together by the next one. Resolves when the
 * outcome is stored; rejects only for the outcome's own sake.
 */
export function outcomeQueue<Item extends { readonly aggregateId: string }>(options: {
  /** Stores the outcomes of one document in one write. While the database is unreachable it is repeated until this process stops. */
  write: (aggregateId: string, items: readonly Item[]) => Promise<void>;
  isStopped: () => boolean;
  retryMs: number;
  /** The number of attempts of one outcome on its own. */
  triesMax: number;
}): (item: Item) => Promise<void> {
  const { write, isStopped, retryMs, triesMax } = options;
  async function writeAll(items: readonly Item[]): Promise<undefined[]> {
    // The lease may last until the database is back; otherwise another process has it by then.
    for (let failures = 0; ; await sleep(retryMs)) {
      try {
        await write(items[0]!.aggregateId, items);
        return items.map(() => undefined);
      } catch (error) {
        if (!isUnreachable(error)) failures += 1;
        if (isStopped() || failures === triesMax || (failures > 0 && items.length > 1)) throw error;
      }
    }
  }
  return batch(writeAll, { keyBy: ({ aggregateId }) => aggregateId, max: Infinity, isRetriedAlone: () => true });
}
