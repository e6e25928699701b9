import { isUnreachable, QUERY_TIME_MAX_MS } from '@parley/mongo';
import { gather } from '@parley/queues';
import type { Collection, Db, Document, Filter } from 'mongodb';

interface Look {
  readonly collection: Collection<Document>;
  readonly filter: Filter<Document>;
}

/** Looks of the same time begin within this one. */
const GATHER_MS = 20;
/** How long after its time a look may have its answer: what is due until then is found by the look before. */
export const LOOK_LATE_MS = 250;

const looksOf = new WeakMap<Db, (look: Look) => Promise<boolean>>();

/**
 * Whether a collection has a document that fits, for looks that are in no hurry: those of a database at the same time are one
 * command. Only one index may fit the filter, because none can be named. When the command fails, every answer is yes: the query
 * that follows has its own error.
 */
export function hasAny<Doc extends Document>(collection: Collection<Doc>, filter: Filter<Doc>): Promise<boolean> {
  const known = looksOf.get(collection.db);
  const look = known ?? gather(lookTogether, GATHER_MS);
  if (!known) looksOf.set(collection.db, look);
  return look({ collection, filter } as unknown as Look);
}

async function lookTogether(looks: readonly Look[]): Promise<boolean[]> {
  try {
    const found = await looks[0]!.collection
      .aggregate<{ look: number }>(pipelineOf(looks), { maxTimeMS: QUERY_TIME_MAX_MS })
      .toArray();
    return looks.map((_, index) => found.some(({ look }) => look === index));
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return looks.map(() => true);
  }
}

/** The numbers of the looks that find something. */
export function pipelineOf(looks: readonly Look[]): Document[] {
  const [first = [], ...others] = looks.map(({ filter }, look) => [
    { $match: filter },
    { $limit: 1 },
    { $project: { _id: 0, look: { $literal: look } } },
  ]);
  const unions = others.map((pipeline, index) => ({
    $unionWith: { coll: looks[index + 1]!.collection.collectionName, pipeline },
  }));
  return [...first, ...unions];
}
