import { isUnreachable, QUERY_TIME_MAX_MS } from '@parley/mongo';
import { batch, batching } from '@parley/queues';
import type { Collection, Db, Document, Filter } from 'mongodb';

interface Question {
  readonly collection: Collection<Document>;
  readonly filter: Filter<Document>;
}

const askersOf = new WeakMap<Db, (question: Question) => Promise<boolean>>();

/**
 * Whether a collection has a document that fits, for polls that are in no hurry: those of a database at the same time are one
 * command. Only one index may fit the filter, because none can be named. When the command fails, every answer is yes: the query
 * that follows has its own error.
 */
export function hasAny<Doc extends Document>(collection: Collection<Doc>, filter: Filter<Doc>): Promise<boolean> {
  const known = askersOf.get(collection.db);
  const ask = known ?? batch(answerTogether, batching.polls);
  if (!known) askersOf.set(collection.db, ask);
  return ask({ collection, filter } as unknown as Question);
}

async function answerTogether(questions: readonly Question[]): Promise<boolean[]> {
  try {
    const found = await questions[0]!.collection
      .aggregate<{ question: number }>(pipelineOf(questions), { maxTimeMS: QUERY_TIME_MAX_MS })
      .toArray();
    return questions.map((_, index) => found.some(({ question }) => question === index));
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return questions.map(() => true);
  }
}

/** The numbers of the questions whose answer is yes. */
export function pipelineOf(questions: readonly Question[]): Document[] {
  const [first = [], ...others] = questions.map(({ filter }, question) => [
    { $match: filter },
    { $limit: 1 },
    { $project: { _id: 0, question: { $literal: question } } },
  ]);
  const unions = others.map((pipeline, index) => ({
    $unionWith: { coll: questions[index + 1]!.collection.collectionName, pipeline },
  }));
  return [...first, ...unions];
}
