import { LRUCache } from 'lru-cache';
import type { Contacts } from './contact-store.ts';

export interface ContactCap {
  readonly max: number;
  hasCapacity(companyId: string): Promise<boolean>;
  added(companyId: string): void;
}

const COUNTED_FOR_MS = 60_000;
const CACHED_MAX = 10_000;

/**
 * Counting a hundred thousand contacts for every new one would be slow, so a count is cached for a minute and this process's own
 * additions are added to it. At the cap itself it is always counted again: contacts may have been deleted.
 */
export function contactCap(contacts: Contacts, max: number): ContactCap {
  const counts = new LRUCache<string, { count: number }>({ max: CACHED_MAX, ttl: COUNTED_FOR_MS });
  return {
    max,
    async hasCapacity(companyId) {
      const known = counts.get(companyId);
      if (known && known.count < max) return true;
      const count = await contacts.of(companyId).count(max);
      counts.set(companyId, { count });
      return count < max;
    },
    added(companyId) {
      const known = counts.get(companyId);
      if (known) known.count += 1;
    },
  };
}
