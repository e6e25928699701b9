import type { Logger } from '@parley/telemetry';
import { type Db, type IndexDescription, MongoServerError } from 'mongodb';

export type NamedIndex = IndexDescription & { readonly name: string };

/** The indexes of a service by collection. */
export type IndexCatalog = Readonly<Record<string, readonly NamedIndex[]>>;

/** An index with another definition, one that the documents of before do not allow, or a collection that is no longer there. */
const LEFT_TO_THE_START: ReadonlySet<unknown> = new Set([
  'IndexOptionsConflict',
  'IndexKeySpecsConflict',
  'DuplicateKey',
  'NamespaceNotFound',
]);

/**
 * Builds, one after the other, the indexes of existing collections that they do not have, so that the next version finds them.
 * Those that cannot be built beside the version that runs are left to the start of the next one, which migrates documents before. An attempt
 * that was interrupted is repeated: MongoDB goes on building meanwhile, and a second command waits for it.
 */
export async function buildIndexes(db: Db, catalog: IndexCatalog, log: Logger): Promise<{ built: number }> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const existing = new Set(collections.map(({ name }) => name));
  let built = 0;
  for (const [collection, indexes] of Object.entries(catalog).filter(([name]) => existing.has(name))) {
    const found = new Set((await db.collection(collection).indexes()).map(({ name }) => name));
    for (const index of indexes.filter(({ name }) => !found.has(name)))
      if (await buildIndex(db, collection, index, log)) built += 1;
  }
  return { built };
}

async function buildIndex(db: Db, collection: string, index: NamedIndex, log: Logger): Promise<boolean> {
  const startedAt = performance.now();
  const facts = { collection, index: index.name };
  log.info(facts, 'building an index');
  try {
    await db.collection(collection).createIndexes([index]);
  } catch (error) {
    if (!(error instanceof MongoServerError) || !LEFT_TO_THE_START.has(error.codeName)) throw error;
    log.warn({ ...facts, reason: error.codeName }, 'index left to the start of the service');
    return false;
  }
  log.info({ ...facts, seconds: Math.round((performance.now() - startedAt) / 1000) }, 'index built');
  return true;
}
