import type { StoredDocument } from './document.ts';

/** Documents as this process wrote or read them last. A guess to decide on: other processes may have written since. */
export interface RecentDocuments {
  get(id: string): StoredDocument | undefined;
  /** Unless a later version is known. */
  keep(stored: StoredDocument): void;
  forget(id: string): void;
}

/** The least recently used are forgotten first; a `max` of 0 keeps none. */
export function recentDocuments(max: number): RecentDocuments {
  const known = new Map<string, StoredDocument>();
  return {
    get(id) {
      const stored = known.get(id);
      if (stored) {
        known.delete(id);
        known.set(id, stored);
      }
      return stored;
    },
    keep(stored) {
      if (max === 0 || (known.get(stored._id)?._version ?? 0) > stored._version) return;
      known.delete(stored._id);
      known.set(stored._id, stored);
      if (known.size > max) known.delete(known.keys().next().value!);
    },
    forget: (id) => void known.delete(id),
  };
}
