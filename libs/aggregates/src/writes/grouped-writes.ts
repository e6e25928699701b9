import type { Collection } from 'mongodb';
import { batch, batching } from '@parley/queues';
import type { StoredDocument } from '../stored/stored-document.ts';
import { lookForStamps } from './stamps.ts';
import { type GuardedUpdate, guardedUpdates } from './guarded-update.ts';
import { collidedIndex, isUnreachable, wasRepeated } from '@parley/mongo';

/**
 * Writes of one collection. Those that are added while others are in progress are sent together: the server waits for
 * its journal once for all of them, which costs more than everything else about a small write.
 */
export interface GroupedWrites {
  insert(document: StoredDocument): Promise<void>;
  /** False when the document is not there or its guard does not hold. */
  update(update: GuardedUpdate): Promise<boolean>;
  /**
   * A deleted aggregate stays as a tombstone until the relay has published its last event; a plain document has nothing to
   * wait for and is removed. False when it is no longer the version that was decided on.
   */
  remove(document: StoredDocument): Promise<boolean>;
}

type Outcome = { readonly done: boolean } | { readonly error: unknown };

export function groupedWrites(collection: Collection<StoredDocument>, waitMs = 0): GroupedWrites {
  const groups = { ...batching.writes, waitMs };
  /** A tombstone that is gone was written. */
  const wereDone = async (updates: readonly GuardedUpdate[]) =>
    (await lookForStamps(collection, updates)).map((isDone, index) => isDone ?? updates[index]!.deletes);

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

  async function updateTogether(updates: readonly GuardedUpdate[]): Promise<Outcome[]> {
    const { filter, pipeline } = guardedUpdates(updates);
    const { modifiedCount } = await collection.updateMany(filter, pipeline);
    // The server reports how many were done, not which.
    const done = modifiedCount === updates.length ? updates.map(() => true) : await wereDone(updates);
    return done.map((one) => ({ done: one }));
  }

  async function insertTogether(documents: readonly StoredDocument[]): Promise<Outcome[]> {
    await collection.insertMany([...documents], { ordered: false });
    return documents.map(() => ({ done: true }));
  }

  const update = batch(
    inGroups(updateTogether, (one: GuardedUpdate, mayBeDone) => updateOne(one, mayBeDone)),
    groups,
  );
  const insert = batch(
    inGroups(insertTogether, async (one: StoredDocument, mayBeDone) => {
      await insertOne(one, mayBeDone);
      return true;
    }),
    groups,
  );
  return {
    insert: async (document) => void doneOf(await insert(document)),
    update: async (one) => doneOf(await update(one)),
    async remove({ _id, _version }) {
      const removed = await collection.deleteOne({ _id, _version });
      return removed.deletedCount === 1 || (wasRepeated(removed) && (await collection.findOne({ _id })) === null);
    },
  };
}

/** Writes a group together; one by one when the server refuses that, because a collision is the fault of one. */
function inGroups<Item>(
  together: (items: readonly Item[]) => Promise<Outcome[]>,
  alone: (item: Item, mayBeDone: boolean) => Promise<boolean>,
): (items: readonly Item[]) => Promise<Outcome[]> {
  const oneByOne = (items: readonly Item[], mayBeDone: boolean) =>
    Promise.all(
      items.map(async (item): Promise<Outcome> => {
        try {
          return { done: await alone(item, mayBeDone) };
        } catch (error) {
          return { error };
        }
      }),
    );
  return async (items) => {
    if (items.length === 1) return oneByOne(items, false);
    try {
      return await together(items);
    } catch (error) {
      return isUnreachable(error) ? items.map(() => ({ error })) : oneByOne(items, true);
    }
  };
}

function doneOf(outcome: Outcome): boolean {
  if ('error' in outcome) throw outcome.error;
  return outcome.done;
}
