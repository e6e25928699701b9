import type { EventRemoval } from '@parley/aggregates';
import type { Collection, Db } from 'mongodb';
import { type Erase, erasureOf, type ErasureStep } from './erasure.ts';
import { eventRemovalSteps } from './event-steps.ts';

/** A company that is deleted. */
export interface DeletedCompany {
  readonly companyId: string;
}

/** Documents that one portion removes. */
const PORTION = 500;
/** Events have steps of their own. */
const OF_EVENTS = ['event_log', 'dead_letters'];

/**
 * Removes everything that a service stores of a company: first what its own steps find, then the documents of every
 * collection, then events. A follower may have stored something meanwhile, so the collections come twice.
 */
export function companyErasure(options: {
  db: Db;
  removal?: EventRemoval | undefined;
  /** Steps for data outside the company's documents, such as files. */
  first?: readonly ErasureStep<DeletedCompany>[];
  /** Collections whose documents are shared with others, or are the receipt. */
  except?: readonly string[];
  /** Collections that go last, because they say that the company may do nothing any more. */
  last?: readonly string[];
}): Erase<DeletedCompany> {
  const { db, removal, first = [], except = [], last = [] } = options;
  const documents = (name: string, kept: readonly string[]): ErasureStep<DeletedCompany> => ({
    name,
    erase: ({ companyId }, after) => eraseDocuments(db, new Set([...OF_EVENTS, ...except, ...kept]), companyId, after),
  });
  return erasureOf<DeletedCompany>([
    ...first,
    documents('documents', last),
    ...eventRemovalSteps({ db, removal }, () => async () => true),
    documents('documents_again', []),
  ]);
}

/** The position is the name of the collection. */
async function eraseDocuments(db: Db, kept: ReadonlySet<string>, companyId: string, after: string) {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  // Those with a dot are the files of a bucket.
  const names = listed
    .map(({ name }) => name)
    .filter((name) => !kept.has(name) && !name.includes('.'))
    .toSorted();
  const name = names.find((candidate) => candidate >= after);
  if (name === undefined) return { removed: 0 };
  await ensureIndex(db.collection(name));
  const collection = db.collection<{ _id: string; companyId?: string }>(name);
  const found = await collection.find({ companyId }, { projection: { _id: 1 }, limit: PORTION }).toArray();
  if (found.length > 0) await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  const next = found.length === PORTION ? name : names.find((candidate) => candidate > name);
  return { removed: found.length, next };
}

/** Most collections have an index that begins with the company; the others get one when the first company is deleted. */
async function ensureIndex(collection: Pick<Collection, 'indexes' | 'createIndex'>): Promise<void> {
  const isOfCompany = ({ key, partialFilterExpression }: { key: object; partialFilterExpression?: object }) =>
    Object.keys(key)[0] === 'companyId' && partialFilterExpression === undefined;
  const existing = (await collection.indexes()) as { key: object; partialFilterExpression?: object }[];
  if (!existing.some(isOfCompany)) await collection.createIndex({ companyId: 1 }, { name: 'of_company' });
}
