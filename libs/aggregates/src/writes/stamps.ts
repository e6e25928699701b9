import { randomPart } from '@parley/secrets';
import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Collection } from 'mongodb';
import type { StoredDocument } from '../stored/stored-document.ts';

/** So many other writes may happen between a write whose response was lost and the check whether it was done. */
const STAMPS_MAX = 10;

/** Only has to differ from the few others in one document. */
export function newStamp(): string {
  return randomPart(6).toString('base64url');
}

export function withStamp(stamps: readonly string[], stamp: string): readonly string[] {
  return [...stamps, stamp].slice(-STAMPS_MAX);
}

/** True for each document that has the stamp; undefined when the document does not exist. */
export async function findStamps(
  collection: Collection<StoredDocument>,
  writes: readonly { readonly id: string; readonly stamp: string }[],
): Promise<(boolean | undefined)[]> {
  const ids = writes.map(({ id }) => id);
  const options = { projection: { _stamps: 1 }, maxTimeMS: QUERY_TIME_MAX_MS };
  const found = await collection.find({ _id: { $in: ids } }, options).toArray();
  const stamps = new Map(found.map(({ _id, _stamps }) => [_id, _stamps]));
  return writes.map(({ id, stamp }) => stamps.get(id)?.includes(stamp));
}
