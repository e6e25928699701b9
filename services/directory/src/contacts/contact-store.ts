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

/** Where a page of contacts ended. */
export interface ContactPosition {
  readonly createdOrder: number;
  /** Contacts of the pages before that have this order: two processes may assign the same one. */
  readonly ids: readonly string[];
}

/** Contacts that come after a page, newest first. */
export function pageFilter({ createdOrder, ids }: ContactPosition): DocumentFilter<Contact> {
  return { createdOrder: { $lte: createdOrder }, id: { $nin: [...ids] } };
}

/** Where a page ends, whose predecessor ended at `before`. */
export function endOfPage(
  page: readonly Pick<Contact, 'id' | 'createdOrder'>[],
  before: ContactPosition | undefined,
): ContactPosition | undefined {
  const last = page.at(-1);
  if (!last) return undefined;
  const { createdOrder } = last;
  const ids = page.filter((contact) => contact.createdOrder === createdOrder).map(({ id }) => id);
  return { createdOrder, ids: before?.createdOrder === createdOrder ? [...before.ids, ...ids] : ids };
}
