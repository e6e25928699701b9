import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import { cache } from '@parley/queues';
import type { Collection, Document, Sort } from 'mongodb';
import { type Entity, type StoredDocument, toState, withStoredId } from '../stored/stored-document.ts';
import { type DocumentFilter, onlyFields } from './scoped-documents.ts';

/**
 * Finds documents of a company, as `findFields` does. The database answers which documents fit and their versions; only those that
 * this process has not read in this version are read. A document that has not changed is the same object as before.
 */
export type CachedFinder<State extends Entity, Field extends keyof State> = (
  companyId: string,
  filter: DocumentFilter<State>,
  sort: Sort,
  limit: number,
) => Promise<Pick<State, Field | 'id'>[]>;

export interface CachedFinderOptions {
  /** Documents that are kept in memory; the least recently used are dropped first. */
  readonly max: number;
  /** Dropped after this time in any case: what was deleted does not stay in memory. */
  readonly ageMaxMs: number;
}

type Version = Pick<StoredDocument, '_id' | '_version'>;

/** After so many changes between the two reads everything is read with one. */
const ATTEMPTS_MAX = 3;

const keyOf = ({ _id, _version }: Version) => `${_id} ${_version}`;

export function cachedFinder<State extends Entity, Field extends keyof State>(
  collection: Collection<StoredDocument>,
  fields: readonly Field[],
  options: CachedFinderOptions,
): CachedFinder<State, Field> {
  type Found = Pick<State, Field | 'id'>;
  /** By id and version, so no entry is ever outdated. */
  const known = cache<Found>(options);
  const projection = { ...onlyFields(fields), _version: 1 };
  const bounded = { maxTimeMS: QUERY_TIME_MAX_MS };

  async function read(ids: readonly string[]): Promise<Map<string, Found>> {
    const found = await collection.find({ _id: { $in: ids } }, { ...bounded, projection }).toArray();
    return new Map(found.map((stored) => [keyOf(stored), toState<State>(stored)]));
  }

  return async (companyId, filter, sort, limit) => {
    const where: Document = { ...withStoredId(filter), companyId, _deleted: false };
    const options = { ...bounded, limit, sort: withStoredId(sort as object) as Sort };
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const listed = await collection.find<Version>(where, { ...options, projection: { _version: 1 } }).toArray();
      const idOf = new Map(listed.map((version) => [keyOf(version), version._id]));
      const found = await known.getMany([...idOf.keys()], (missing) => read(missing.map((key) => idOf.get(key)!)));
      // One that has changed between the reads may have its place elsewhere now.
      if (found.size === listed.length) return [...found.values()];
    }
    const found = await collection.find(where, { ...options, projection }).toArray();
    return found.map((stored) => toState<State>(stored));
  };
}
