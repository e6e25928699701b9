import { type Collection, type IndexDescription, MongoServerError } from 'mongodb';

/** MongoDB's names for an index of the same name, or of the same key, with another definition. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['IndexOptionsConflict', 'IndexKeySpecsConflict']);

/** Creates the indexes; one that an earlier version of the product defined differently is replaced. */
export async function createIndexes(
  collection: Pick<Collection, 'createIndexes' | 'dropIndex' | 'indexes'>,
  indexes: readonly IndexDescription[],
): Promise<void> {
  if (indexes.length === 0) return;
  try {
    await collection.createIndexes([...indexes]);
  } catch (error) {
    if (!isConflict(error)) throw error;
    for (const index of indexes) await replaceIndex(collection, index);
  }
}

async function replaceIndex(
  collection: Pick<Collection, 'createIndexes' | 'dropIndex' | 'indexes'>,
  index: IndexDescription,
): Promise<void> {
  try {
    await collection.createIndexes([index]);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const sameKey = JSON.stringify(index.key);
    for (const { name, key } of await collection.indexes())
      if (name !== undefined && (name === index.name || JSON.stringify(key) === sameKey)) await dropIndex(name);
    await collection.createIndexes([index]);
  }

  /** Another process that starts at the same time may have been faster. */
  async function dropIndex(name: string): Promise<void> {
    await collection.dropIndex(name).catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.codeName !== 'IndexNotFound') throw error;
    });
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof MongoServerError && CONFLICTS.has(error.codeName);
}
