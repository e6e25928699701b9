import { wasRepeated } from '@parley/mongo';
import type { Collection, IndexDescription } from 'mongodb';
import type { StoredDocument } from '../stored/stored-document.ts';

/**
 * A deleted aggregate stays as a tombstone until the relay has published its last event; a plain document has nothing to
 * wait for and is removed here. False when it is no longer the version that was decided on.
 */
export async function removeWithoutTombstone(
  collection: Collection<StoredDocument>,
  { _id, _version }: StoredDocument,
): Promise<boolean> {
  const removed = await collection.deleteOne({ _id, _version });
  return removed.deletedCount === 1 || (wasRepeated(removed) && (await collection.findOne({ _id })) === null);
}

/** A tombstone does not keep a unique value from being used again. */
export function excludingTombstones<Index extends IndexDescription>(index: Index): Index {
  if (!index.unique) return index;
  return { ...index, partialFilterExpression: { ...index.partialFilterExpression, _deleted: false } };
}
