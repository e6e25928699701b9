import type { Db, Document, Filter } from 'mongodb';

// Tests of what is in the database read and write it here, so that only this library and the store know how it is laid out.

type Stored = Document & { _id: string };

/** A stored document without the store's own fields, which begin with `_`. */
export type StoredEntity = Document & { readonly id: string };

/** A document as it is stored; null when there is none. */
export function storedDocument(db: Db, collection: string, id: string): Promise<Document | null> {
  return documents(db, collection).findOne({ _id: id });
}

/** Everything of a collection that is not deleted, by id. */
export async function storedEntities(db: Db, collection: string, filter: Filter<Stored> = {}): Promise<StoredEntity[]> {
  const found = await documents(db, collection)
    .find({ ...filter, _deleted: { $ne: true } })
    .sort({ _id: 1 })
    .toArray();
  return found.map(({ _id: id, ...fields }) => ({
    id,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('_'))),
  }));
}

/** Stores entities without the service that owns them: many in a short time, or such as it would not create. */
export async function insertEntities(
  db: Db,
  collection: string,
  entities: readonly { readonly id: string }[],
): Promise<void> {
  const stored = entities.map(({ id, ...fields }) => ({ _id: id, ...fields, ...NEW_DOCUMENT }));
  await documents(db, collection).insertMany(stored, { ordered: false });
}

/** The number of writes of the first document that matches. */
export async function writeCount(db: Db, collection: string, filter: Filter<Stored>): Promise<number> {
  return Number((await documents(db, collection).findOne(filter))?.['_version'] ?? 0);
}

/** Counts documents with unfinished commands. */
export function countWithCommands(db: Db, collection: string, filter: Filter<Stored>): Promise<number> {
  return documents(db, collection).countDocuments({ ...filter, '_commands.0': { $exists: true } });
}

/** Counts documents with unpublished events. */
export function countWithEvents(db: Db, collection: string, filter: Filter<Stored>): Promise<number> {
  return documents(db, collection).countDocuments({ ...filter, '_outbox.0': { $exists: true } });
}

/** The state after a first write whose events have been published. */
const NEW_DOCUMENT = { _version: 1, _stamps: [], _deleted: false, _eventCounts: {}, _outbox: [], _relay: null };

function documents(db: Db, collection: string) {
  return db.collection<Stored>(collection);
}
