import { LRUCache } from 'lru-cache';
import type { StoredDocument } from './stored-document.ts';

/** Documents as this process wrote or read them last. May be outdated: other processes may have written since. */
export interface RecentDocuments {
  get(id: string): StoredDocument | undefined;
  /** Unless a later version is known. */
  keep(stored: StoredDocument): void;
  forget(id: string): void;
}

/** The least recently used are dropped first; a `max` of 0 keeps none. */
export function recentDocuments(max: number): RecentDocuments {
  const known = max > 0 ? new LRUCache<string, StoredDocument>({ max }) : undefined;
  return {
    get: (id) => known?.get(id),
    keep(stored) {
      if ((known?.peek(stored._id)?._version ?? 0) <= stored._version) known?.set(stored._id, stored);
    },
    forget: (id) => void known?.delete(id),
  };
}
