import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import { batch, batching } from '@parley/queues';
import type { Collection } from 'mongodb';
import type { StoredDocument } from './stored-document.ts';
import { LRUCache } from 'lru-cache';

/** Documents as this process wrote or read them last. May be outdated: other processes may have written since. */
export type DocumentCache = ReturnType<typeof documentCache>;

/** The least recently used are dropped first; a `max` of 0 keeps none. */
export function documentCache(max = 0) {
  const known = max > 0 ? new LRUCache<string, StoredDocument>({ max }) : undefined;
  /** Unless a later version is known. */
  function set(stored: StoredDocument): void {
    if ((known?.peek(stored._id)?._version ?? 0) <= stored._version) known?.set(stored._id, stored);
  }
  return {
    get: (id: string) => known?.get(id),
    set,
    /** After an unversioned write of bookkeeping: the cached document is changed likewise. */
    patch(id: string, change: (stored: StoredDocument) => StoredDocument): void {
      const stored = known?.get(id);
      if (stored) set(change(stored));
    },
    delete: (id: string) => void known?.delete(id),
  };
}

/** Reads by id. `companyId` undefined means any company's; an id of another company is an unknown id. */
export type DocumentReader = ReturnType<typeof documentReader>;

export function documentReader(collection: Collection<StoredDocument>, cache: DocumentCache) {
  /** Queries by id alone, which needs no query plan; the company is checked here. */
  const find = batch(async (ids: readonly string[]): Promise<(StoredDocument | undefined)[]> => {
    const bounded = { maxTimeMS: QUERY_TIME_MAX_MS };
    if (ids.length === 1) return [(await collection.findOne({ _id: ids[0]! }, bounded)) ?? undefined];
    const all = { _id: { $in: [...new Set(ids)] } };
    const found = await collection.find(all, bounded).toArray();
    const byId = new Map(found.map((stored) => [stored._id, stored]));
    return ids.map((id) => byId.get(id));
  }, batching.reads);

  /** Tombstones as well. */
  async function readAny(id: string): Promise<StoredDocument | undefined> {
    const stored = await find(id);
    if (stored) cache.set(stored);
    else cache.delete(id);
    return stored;
  }

  const inScope = (stored: StoredDocument | undefined, companyId: string | undefined) =>
    !stored || stored._deleted || (companyId !== undefined && stored.companyId !== companyId) ? undefined : stored;
  const cached = (id: string, companyId: string | undefined) => inScope(cache.get(id), companyId);
  const read = async (id: string, companyId: string | undefined) => inScope(await readAny(id), companyId);
  return {
    read,
    /** The cached document; reads it if it is not cached. */
    readRecent: async (id: string, companyId: string | undefined) =>
      cached(id, companyId) ?? (await read(id, companyId)),
    cached,
    readAny,
  };
}
