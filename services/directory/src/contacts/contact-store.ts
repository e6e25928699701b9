import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import { beginsWith } from '@parley/search-terms';
import type { DocumentFilter } from '@parley/store';
import type { Db } from 'mongodb';
import { type Contact, type ContactEvent, phoneTaken } from './contact.ts';
import { matchesSearch } from './contact-search.ts';
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

/** Where a page of contacts ended. */
export interface ContactPosition {
  readonly createdOrder: number;
  /** Contacts of the pages before that have this order: two processes may assign the same one. */
  readonly ids: readonly string[];
}

/** Contacts that come after a page, newest first. */
function pageFilter({ createdOrder, ids }: ContactPosition): DocumentFilter<Contact> {
  return { createdOrder: { $lte: createdOrder }, id: { $nin: [...ids] } };
}

type OwnContacts = Pick<ReturnType<Contacts['of']>, 'find' | 'findUnsorted'>;

/** The newest contacts after a position. */
export function newestContacts(
  own: OwnContacts,
  limit: number,
  after?: ContactPosition,
  filter: DocumentFilter<Contact> = {},
): Promise<Contact[]> {
  const found = own.find({ ...filter, ...(after && pageFilter(after)) }, NEWEST_FIRST, limit, 'company_newest');
  return Array.fromAsync(found);
}

/** A word that fewer contacts have is looked up by itself. */
const RARE_MAX = 1000;
/** Words that are tried for that. */
const TRIED_MAX = 3;

/**
 * The newest contacts after a position that have terms with every one of these beginnings. A rare word has few contacts, which are
 * then compared with the others; frequent words are found soon by reading contacts from the newest on.
 */
export async function searchContacts(
  own: OwnContacts,
  words: readonly string[],
  limit: number,
  after?: ContactPosition,
): Promise<Contact[]> {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  for (const word of longestFirst.slice(0, TRIED_MAX)) {
    const having = { searchTerms: beginsWith(word) };
    const found = await own.findUnsorted(having, { index: 'company_search', limit: RARE_MAX });
    if (found.length < RARE_MAX) {
      const fitting = found.filter(
        (contact) => matchesSearch(contact.searchTerms ?? [], words) && isAfter(contact, after),
      );
      return fitting.toSorted((a, b) => b.createdOrder - a.createdOrder).slice(0, limit);
    }
  }
  const filter = { $and: longestFirst.map((word) => ({ searchTerms: beginsWith(word) })) };
  return newestContacts(own, limit, after, filter);
}

function isAfter({ id, createdOrder }: Contact, position: ContactPosition | undefined): boolean {
  return !position || (createdOrder <= position.createdOrder && !position.ids.includes(id));
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
