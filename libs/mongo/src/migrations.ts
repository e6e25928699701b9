import type { Db, Document } from 'mongodb';
import { QUERY_TIME_MAX_MS } from './connection.ts';

/**
 * Brings stored data into the form that this version reads. Several processes may run it at once and one may stop in the middle, so
 * running it again changes nothing.
 */
export interface Migration {
  /** Never changes; a database remembers its migrations by name. */
  readonly name: string;
  run(db: Db): Promise<void>;
}

/** Runs, in their order, the migrations that the database has not had yet. */
export async function migrate(db: Db, migrations: readonly Migration[]): Promise<void> {
  if (migrations.length === 0) return;
  const finished = db.collection<{ _id: string; at: Date }>('migrations');
  const known = await finished.distinct('_id', {}, { maxTimeMS: QUERY_TIME_MAX_MS });
  for (const { name, run } of migrations) {
    if (known.includes(name)) continue;
    await run(db);
    await finished.updateOne({ _id: name }, { $setOnInsert: { at: new Date() } }, { upsert: true });
  }
}

/**
 * For migrations: gives the documents of a collection the fields that they do not have. The version grows, so that a decision made on a
 * document as it was is made again.
 */
export async function setMissing(db: Db, collection: string, values: Document): Promise<void> {
  const fields = Object.entries(values);
  const set = Object.fromEntries(fields.map(([field, value]) => [field, { $ifNull: [`$${field}`, value] }]));
  await db
    .collection(collection)
    .updateMany({ $or: fields.map(([field]) => ({ [field]: { $exists: false } })), _deleted: false }, [
      { $set: { ...set, _version: { $add: ['$_version', 1] } } },
    ]);
}
