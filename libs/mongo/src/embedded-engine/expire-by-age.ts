import type { Collection, Db } from 'mongodb';
import { createIndexes } from '../indexes.ts';
import { startExpirySweep, type SweepOptions } from '../expiry.ts';
import { engineOf } from './engine.ts';

/**
 * Removes documents whose field `at` is older than `ageMs` by the machine's clock, and creates the index `at` that this needs: a TTL index
 * if the server has that, otherwise the documents are deleted every so often.
 */
export async function expireByAge<Doc extends { _id: string; at: Date }>(
  options: SweepOptions & { db: Db; collection: Collection<Doc>; ageMs: number },
): Promise<{ stop(): Promise<void> }> {
  const { db, collection, ageMs, ...sweep } = options;
  const hasTtl = engineOf(db) === 'server';
  await createIndexes(collection as unknown as Collection, [
    { name: 'at', key: { at: 1 }, ...(hasTtl && { expireAfterSeconds: ageMs / 1000 }) },
  ]);
  if (hasTtl) return { stop: async () => undefined };
  const expired = () => ({ at: { $lt: new Date(Date.now() - ageMs) } }) as object;
  return startExpirySweep({ ...sweep, collection, expired });
}
