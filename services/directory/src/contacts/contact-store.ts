import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { DocumentFilter } from '@parley/store';
import type { Db } from 'mongodb';
import { type Contact, type ContactEvent, phoneTaken } from './contact.ts';
import { encodeContactEvent } from './contact-proto.ts';

export type Contacts = Aggregates<Contact, ContactEvent>;

/** Newest first, as the list is read; backed by the index of the same fields. */
export const NEWEST_FIRST = { createdOrder: -1 } as const;

/** The same index from its other end. */
export const OLDEST_FIRST = { createdOrder: 1 } as const;

export function openContacts(db: Db, relay: Relay, clock: Clock): Promise<Contacts> {
  return openAggregates<Contact, ContactEvent>({
    db,
    collection: 'contacts',
    relay,
    clock,
    encode: encodeContactEvent,
    indexes: [
      { name: 'company_phone', key: { companyId: 1, phone: 1 }, unique: true },
      { name: 'company_newest', key: { companyId: 1, createdOrder: -1 } },
      { name: 'company_search', key: { companyId: 1, searchTerms: 1 } },
    ],
    collisions: { company_phone: phoneTaken },
  });
}

/** Contacts that have every one of these beginnings of terms; the longest narrows the search most. */
export function searchFilter(words: readonly string[]): DocumentFilter<Contact> {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return { $and: longestFirst.map((word) => ({ searchTerms: new RegExp(`^${RegExp.escape(word)}`) })) };
}
