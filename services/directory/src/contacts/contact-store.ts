import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { type Contact, type ContactEvent, phoneTaken } from './contact.ts';
import { encodeContactEvent } from './contact-proto.ts';
import { type ListPosition, newest, placeOfOlder, searchNewest } from '../newest-first/newest-first.ts';

export type Contacts = Aggregates<Contact, ContactEvent>;

/** The order of the list from its other end; backed by the same index. */
export const OLDEST_FIRST = { createdOrder: 1 } as const;

/** Contacts that were changed a moment ago are likely to be changed again, for example by an integration. */
const RECENT_MAX = 500;

export function openContacts(db: Db, relay: Relay, clock: Clock): Promise<Contacts> {
  return openAggregates<Contact, ContactEvent>({
    db,
    collection: 'contacts',
    relay,
    clock,
    encode: encodeContactEvent,
    recentMax: RECENT_MAX,
    // A contact has about fifty of them, which would be most of the cost of a list.
    unlisted: ['searchTerms'],
    indexes: [
      { name: 'company_phone', key: { companyId: 1, phone: 1 }, unique: true },
      { name: 'company_newest', key: { companyId: 1, createdOrder: -1 } },
      { name: 'company_search', key: { companyId: 1, searchTerms: 1, createdOrder: -1, _deleted: 1 } },
    ],
    collisions: { company_phone: phoneTaken },
  });
}

type OwnContacts = Pick<ReturnType<Contacts['of']>, 'find' | 'valuesOf'>;
const indexes = { newest: 'company_newest', search: 'company_search' };

/** The newest contacts after a position. */
export function newestContacts(own: OwnContacts, limit: number, after?: ListPosition): Promise<Contact[]> {
  return newest(own, indexes, limit, after);
}

export type SearchContacts = (
  companyId: string,
  words: readonly string[],
  limit: number,
  after?: ListPosition,
) => Promise<Contact[]>;

/** Companies that search at the same time. */
const SEARCHING_MAX = 1000;
/** It decides only how contacts are found, not which. */
const OLDER_FOR_MS = 60_000;

/** Finds the newest contacts after a position that have terms with every one of these beginnings. */
export function contactSearch(contacts: Pick<Contacts, 'of'>): SearchContacts {
  const older = new LRUCache<string, { place: number | undefined }>({ max: SEARCHING_MAX, ttl: OLDER_FOR_MS });
  async function readOlder(companyId: string): Promise<number | undefined> {
    const place = await placeOfOlder(contacts.of(companyId), indexes);
    older.set(companyId, { place });
    return place;
  }
  return (companyId, words, limit, after) =>
    searchNewest(contacts.of(companyId), indexes, words, limit, after, async () => {
      const known = older.get(companyId);
      return known ? known.place : readOlder(companyId);
    });
}
