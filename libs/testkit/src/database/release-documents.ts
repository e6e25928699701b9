import { readFileSync } from 'node:fs';
import { BSON, type Db, type Document } from 'mongodb';

/** Whose documents these are. */
const LAST_RELEASE = '0.3.0';

/** Documents by collection. */
export type ReleaseDocuments = Readonly<Record<string, readonly (Document & { _id: string })[]>>;

/** What is stored of a service of a release. */
interface ReleaseFile {
  readonly madeAt: Date;
  readonly documents: ReleaseDocuments;
}

/** The `ENCRYPTION_KEY` of every service when these documents were made: it protects nothing. */
export const RELEASE_KEY = Buffer.alloc(32).toString('base64');

/** When a release stores what this version reads. `isMigrated`: this version has brought the database up to date before. */
export const RELEASE_WRITES = [
  ['before the upgrade', { isMigrated: false }],
  ['while both versions run', { isMigrated: true }],
] as const;

/**
 * A few documents of each collection of a company that has used everything, as a release stored them; their times are moved, as if they
 * had been stored just now, so that nothing has expired.
 */
export function releaseDocuments(service: string): ReleaseDocuments {
  const file = new URL(`../../releases/${LAST_RELEASE}/${service}.json`, import.meta.url);
  const stored = BSON.EJSON.deserialize(JSON.parse(readFileSync(file, 'utf8')) as Document) as ReleaseFile;
  return moved(stored.documents, Date.now() - stored.madeAt.getTime()) as ReleaseDocuments;
}

function moved(value: unknown, byMs: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + byMs);
  if (Array.isArray(value)) return value.map((item) => moved(item, byMs));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, moved(item, byMs)]));
}

/** Makes a database of a service the one of the release, without what this version has already written; the service does not run. */
export async function restoreRelease(
  db: Db,
  documents: ReleaseDocuments,
  { isMigrated }: (typeof RELEASE_WRITES)[number][1],
): Promise<void> {
  if (!isMigrated) await db.collection('migrations').deleteMany({});
  for (const [name, stored] of Object.entries(documents)) {
    const collection = db.collection<Document & { _id: string }>(name);
    await collection.deleteMany({});
    await collection.insertMany([...stored]);
  }
}

/** Fields that the release has in its documents, and would miss in what this version has made of them. */
export async function missingFields(db: Db, documents: ReleaseDocuments): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, stored] of Object.entries(documents))
    for (const released of stored) {
      const present = await db.collection<{ _id: string }>(name).findOne({ _id: released._id });
      missing.push(...missingIn(released, present).map((field) => `${name} ${field}`));
    }
  return missing;
}

function missingIn(released: Document, present: Document | null): string[] {
  return Object.entries(released).flatMap(([field, value]) => {
    if (present === null || !(field in present)) return [field];
    const inside = present[field];
    return isPlain(value) && isPlain(inside) ? missingIn(value, inside).map((one) => `${field}.${one}`) : [];
  });
}

const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
