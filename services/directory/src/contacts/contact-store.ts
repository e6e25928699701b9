import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { cache } from '@parley/queues';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type EncodedMessage, encodeMessage } from '@parley/events';
import type { ContactSchema, CreateContactRequest, UpdateContactRequest } from '@parley/proto/directory/v1/contacts_pb';
import { type Contact, type ContactChange, type ContactDetails, type ContactEvent, phoneTaken } from './contact.ts';
import { type ListPosition, newest, placeOfOlder, searchNewest } from '../newest-first/newest-first.ts';
import { textChange } from '../text-change-proto.ts';

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

/** Companies that search at the same time. */
const SEARCHING_MAX = 1000;
/** It decides only how contacts are found, not which. */
const OLDER_FOR_MS = 60_000;

/** Finds the newest contacts after a position that have terms with every one of these beginnings. */
export function contactSearch(contacts: Pick<Contacts, 'of'>) {
  const older = cache<number | undefined>({ ageMaxMs: OLDER_FOR_MS, max: SEARCHING_MAX });
  return (companyId: string, words: readonly string[], limit: number, after?: ListPosition) => {
    const own = contacts.of(companyId);
    const olderThere = () => older.get(companyId, () => placeOfOlder(own, indexes));
    return searchNewest(own, indexes, words, limit, after, olderThere);
  };
}

export type ContactCap = ReturnType<typeof contactCap>;

const COUNTED_FOR_MS = 60_000;
const CACHED_MAX = 10_000;

/**
 * Counting a hundred thousand contacts for every new one would be slow, so a count is cached for a minute and this process's own
 * additions are added to it. At the cap itself it is always counted again: contacts may have been deleted.
 */
export function contactCap(contacts: Contacts, max: number) {
  const counts = new LRUCache<string, { count: number }>({ max: CACHED_MAX, ttl: COUNTED_FOR_MS });
  return {
    max,
    async hasCapacity(companyId: string): Promise<boolean> {
      const known = counts.get(companyId);
      if (known && known.count < max) return true;
      const count = await contacts.of(companyId).count(max);
      counts.set(companyId, { count });
      return count < max;
    },
    added(companyId: string): void {
      const known = counts.get(companyId);
      if (known) known.count += 1;
    },
  };
}

export function contactToProto(contact: Contact): MessageInitShape<typeof ContactSchema> {
  return {
    id: contact.id,
    phone: contact.phone,
    phoneFormatted: contact.phoneFormatted,
    ...(contact.name !== null && { name: contact.name }),
    ...(contact.email !== null && { email: contact.email }),
    ...(contact.companyName !== null && { companyName: contact.companyName }),
    ...(contact.note !== null && { note: contact.note }),
    createdAt: timestampFromDate(contact.createdAt),
    updatedAt: timestampFromDate(contact.updatedAt),
    revision: BigInt(contact.revision),
  };
}

export function detailsFromProto(request: CreateContactRequest): ContactDetails {
  return {
    phone: request.phone,
    name: request.name ?? null,
    email: request.email ?? null,
    companyName: request.companyName ?? null,
    note: request.note ?? null,
  };
}

export function changeFromProto(request: UpdateContactRequest): ContactChange {
  return {
    ...(request.phone !== undefined && { phone: request.phone }),
    ...textChange('name', request.name),
    ...textChange('email', request.email),
    ...textChange('companyName', request.companyName),
    ...textChange('note', request.note),
  };
}

function encodeContactEvent(event: ContactEvent): EncodedMessage {
  return encodeMessage(event.type, { contact: contactToProto(event.contact) });
}
