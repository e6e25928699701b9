import type { Collection } from 'mongodb';
import { batch, batching } from '@parley/queues';
import type { StoredDocument } from '../stored/stored-document.ts';
import { type GuardedUpdate, guardedUpdates, findStamps } from './guarded-update.ts';
import { collidedIndex, isUnreachable, wasRepeated } from '@parley/mongo';

/**
 * Writes of one collection. Those that are added while others are in progress are sent together: the server waits for
 * its journal once for all of them, which costs more than everything else about a small write.
 */
export function groupedWrites(collection: Collection<StoredDocument>, waitMs = 0) {
  const groups = { ...batching.writes, waitMs };
  /** A tombstone that is gone was written. */
  const wereDone = async (updates: readonly GuardedUpdate[]) =>
    (await findStamps(collection, updates)).map((isDone, index) => isDone ?? updates[index]!.deletes);

  /** `mayBeDone`: by an attempt whose outcome is not known. */
  async function updateOne(one: GuardedUpdate, mayBeDone: boolean): Promise<boolean> {
    const { filter, pipeline } = guardedUpdates([one]);
    const result = await collection.updateOne(filter, pipeline);
    if (result.modifiedCount === 1) return true;
    return (mayBeDone || wasRepeated(result)) && (await wereDone([one]))[0]!;
  }

  async function insertOne(stored: StoredDocument, mayBeDone: boolean): Promise<void> {
    try {
      await collection.insertOne(stored);
    } catch (error) {
      // A repeated insert that conflicts with itself: the first one's response was lost, not the document.
      const again = (mayBeDone || wasRepeated(error)) && collidedIndex(error) !== undefined;
      if (again && (await collection.findOne({ _id: stored._id, _stamps: stored._stamps[0]! }))) return;
      throw error;
    }
  }

  async function updateTogether(updates: readonly GuardedUpdate[]): Promise<boolean[]> {
    const { filter, pipeline } = guardedUpdates(updates);
    const { modifiedCount } = await collection.updateMany(filter, pipeline);
    // The server reports how many were done, not which.
    return modifiedCount === updates.length ? updates.map(() => true) : wereDone(updates);
  }

  async function insertTogether(documents: readonly StoredDocument[]): Promise<void[]> {
    await collection.insertMany([...documents], { ordered: false });
    return documents.map(() => undefined);
  }

  const update = batch(inGroups(updateTogether, updateOne), groups);
  const insert = batch(inGroups(insertTogether, insertOne), groups);
  return {
    insert: async (document: StoredDocument) => resultOf(await insert(document)),
    /** False when the document is not there or its guard does not hold. */
    update: async (one: GuardedUpdate) => resultOf(await update(one)),
    /**
     * A deleted aggregate stays as a tombstone until the relay has published its last event; a plain document has nothing to
     * wait for and is removed. False when it is no longer the version that was decided on.
     */
    async remove({ _id, _version }: StoredDocument): Promise<boolean> {
      const removed = await collection.deleteOne({ _id, _version });
      return removed.deletedCount === 1 || (wasRepeated(removed) && (await collection.findOne({ _id })) === null);
    },
  };
}

/** Writes a group together; one by one when the server refuses that, because a collision is the fault of one. */
function inGroups<Item, Result>(
  together: (items: readonly Item[]) => Promise<Result[]>,
  alone: (item: Item, mayBeDone: boolean) => Promise<Result>,
): (items: readonly Item[]) => Promise<PromiseSettledResult<Result>[]> {
  return async (items) => {
    if (items.length > 1)
      try {
        const results = await together(items);
        return results.map((value) => ({ status: 'fulfilled', value }));
      } catch (error) {
        if (isUnreachable(error)) throw error;
      }
    return Promise.allSettled(items.map((item) => alone(item, items.length > 1))) as Promise<
      PromiseSettledResult<Result>[]
    >;
  };
}

function resultOf<Result>(settled: PromiseSettledResult<Result>): Result {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
