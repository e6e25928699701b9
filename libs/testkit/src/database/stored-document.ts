import type { Db, Document } from 'mongodb';

/** A document as it is stored, for tests of what is in the database; null when there is none. */
export function storedDocument(db: Db, collection: string, id: string): Promise<Document | null> {
  return db.collection<{ _id: string }>(collection).findOne({ _id: id });
}
