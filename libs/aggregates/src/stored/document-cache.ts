import { LRUCache } from 'lru-cache';
import type { StoredDocument } from './stored-document.ts';

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
