import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import { LRUCache } from 'lru-cache';
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
  readonly ttlMs: number;
}

type Version = Pick<StoredDocument, '_id' | '_version'>;

/** Looking at the clock for every document would cost more than the rest. */
const TTL_RESOLUTION_MS = 1000;
/** After so many changes between the two reads everything is read with one. */
const ATTEMPTS_MAX = 3;

export function cachedFinder<State extends Entity, Field extends keyof State>(
  collection: Collection<StoredDocument>,
  fields: readonly Field[],
  { max, ttlMs }: CachedFinderOptions,
): CachedFinder<State, Field> {
  type Found = Pick<State, Field | 'id'>;
  const cache = new LRUCache<string, { readonly version: number; readonly state: Found }>({
    max,
    ttl: ttlMs,
    ttlResolution: TTL_RESOLUTION_MS,
  });
  const projection = { ...onlyFields(fields), _version: 1 };
  const bounded = { maxTimeMS: QUERY_TIME_MAX_MS };

  function keep(stored: StoredDocument): Found {
    const state = toState<State>(stored);
    cache.set(stored._id, { version: stored._version, state });
    return state;
  }

  return async (companyId, filter, sort, limit) => {
    const where: Document = { ...withStoredId(filter), companyId, _deleted: false };
    const options = { ...bounded, limit, sort: withStoredId(sort as object) as Sort };
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const listed = await collection.find<Version>(where, { ...options, projection: { _version: 1 } }).toArray();
      const found = new Map<string, Found>();
      const missing = new Map<string, number>();
      for (const { _id, _version } of listed) {
        const known = cache.get(_id);
        if (known?.version === _version) found.set(_id, known.state);
        else missing.set(_id, _version);
      }
      if (missing.size > 0) {
        const changed = collection.find({ _id: { $in: [...missing.keys()] } }, { ...bounded, projection });
        for (const stored of await changed.toArray())
          if (stored._version === missing.get(stored._id)) found.set(stored._id, keep(stored));
      }
      // One that has changed between the reads may have its place elsewhere now.
      if (found.size === listed.length) return listed.map(({ _id }) => found.get(_id)!);
    }
    return (await collection.find(where, { ...options, projection }).toArray()).map(keep);
  };
}
