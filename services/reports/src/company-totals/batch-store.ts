import type { Db } from 'mongodb';
import type { CountedFact } from '../facts/fact-store.ts';
import type { TotalChange } from '../totals/total-store.ts';

/** Facts that a run counts, and by how much each total changes with them. */
export interface Batch {
  readonly companyId: string;
  readonly run: number;
  readonly changes: readonly TotalChange[];
  readonly facts: readonly CountedFact[];
}

/** The last batch of each company. */
export interface Batches {
  /** Throws when a later run has written one. */
  write(batch: Batch): Promise<void>;
  /** The one of a run after this one. */
  readAfter(companyId: string, run: number): Promise<Batch | undefined>;
}

type StoredBatch = Batch & { readonly _id: string };

export function openBatches(db: Db): Batches {
  const collection = db.collection<StoredBatch>('counted_batches');
  return {
    async write(batch) {
      const { companyId, run } = batch;
      // One of a later run makes the upsert collide.
      const filter = { _id: companyId, run: { $lte: run } };
      await collection.replaceOne(filter, batch, { upsert: true });
    },
    async readAfter(companyId, run) {
      return (await collection.findOne({ _id: companyId, run: { $gt: run } })) ?? undefined;
    },
  };
}
