import { prefixPattern } from '@parley/text';
import { decided } from '@parley/errors';
import { type DocumentFilter, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { applyContact, type ContactCopy, searchWords } from './contact-copy.ts';

/** The inbox's copies of contacts. */
export interface ContactCopies {
  apply(contact: Omit<ContactCopy, 'searchTerms'>): Promise<void>;
  /** The same for contacts of any companies, each of them once, with few commands. */
  applyAll(contacts: readonly Omit<ContactCopy, 'searchTerms'>[]): Promise<void>;
  remove(companyId: string, id: string): Promise<void>;
  /** Keyed by phone number; numbers without a contact are left out. */
  byPhone(companyId: string, phones: readonly string[]): Promise<ReadonlyMap<string, ShownContact>>;
  /** Phone numbers of contacts that have every word of the query somewhere; at most `limit`. */
  search(companyId: string, query: string, limit: number): Promise<string[]>;
  /** Every copy of a company, for a rebuild. */
  ids(companyId: string): AsyncIterable<string>;
}

/** The displayed fields of a contact: all but its search terms. */
const shownFields = [
  'phone',
  'phoneFormatted',
  'name',
  'email',
  'companyName',
  'note',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof ContactCopy)[];

export type ShownContact = Pick<ContactCopy, 'id' | (typeof shownFields)[number]>;

/** More than two contacts of a number are only there for the moment between events. */
const SHARING_MAX = 2;

/** Contacts of lists that a process has in memory. */
const LISTED = { max: 10_000, ageMaxMs: 10 * 60_000 };

export async function openContactCopies(db: Db): Promise<ContactCopies> {
  const copies = await openDocuments<ContactCopy>({
    db,
    collection: 'contacts',
    indexes: [
      { name: 'phone', key: { companyId: 1, phone: 1 } },
      { name: 'search', key: { companyId: 1, searchTerms: 1 } },
    ],
    reusesIds: true,
  });
  const findShown = copies.cachedFinder(shownFields, LISTED);
  async function apply(contact: Omit<ContactCopy, 'searchTerms'>): Promise<void> {
    await copies.of(contact.companyId).upsert(contact.id, (current) => decided(applyContact(current, contact)));
  }
  return {
    apply,
    async applyAll(contacts) {
      if (contacts.length === 0) return;
      const filter = { id: { $in: contacts.map(({ id }) => id) } };
      // What is written anew in any case is not read.
      const omit = ['searchTerms', 'note', 'createdAt', 'updatedAt'] as const;
      const page = { filter, sort: { id: 1 }, limit: contacts.length, omit } as const;
      const known = new Map((await copies.bulk.readPage(page)).map((copy) => [copy.id, copy]));
      const missing = contacts.filter(({ id }) => !known.has(id));
      const changes = contacts.flatMap((contact) => {
        const from = known.get(contact.id);
        return from && from.revision <= contact.revision ? [{ from, to: applyContact(from, contact) }] : [];
      });
      const [created, changed] = await Promise.all([
        missing.length === 0 ? [] : copies.bulk.createMissing(missing.map((one) => applyContact(undefined, one))),
        copies.bulk.replaceUnchanged(changes),
      ]);
      const taken = [
        ...missing.filter((_, index) => !created[index]),
        ...changes.filter((_, index) => !changed[index]).map(({ to }) => to),
      ];
      for (const contact of taken) await apply(contact);
    },
    async remove(companyId, id) {
      await copies.of(companyId).changeIfExists(id, () => decided(null));
    },
    async byPhone(companyId, phones) {
      const found = new Map<string, ShownContact>();
      if (phones.length === 0) return found;
      const filter = { phone: { $in: [...phones] } };
      const limit = SHARING_MAX * phones.length;
      for (const contact of await findShown(companyId, filter, { phone: 1 }, limit)) {
        // Two contacts may share a number for the moment between two events; the newer one is right.
        const other = found.get(contact.phone);
        if (!other || other.updatedAt < contact.updatedAt) found.set(contact.phone, contact);
      }
      return found;
    },
    async search(companyId, query, limit) {
      // The longest word narrows the search most; the index is entered with it.
      const words = searchWords(query).sort((a, b) => b.length - a.length);
      if (words.length === 0) return [];
      const filter: DocumentFilter<ContactCopy> = {
        $and: words.map((word) => ({ searchTerms: prefixPattern(word) })),
      };
      const found = await copies.of(companyId).findFields(['phone'], filter, {}, limit, 'search');
      return found.map(({ phone }) => phone);
    },
    async *ids(companyId) {
      for await (const { id } of copies.of(companyId).find({}, { phone: 1 })) yield id;
    },
  };
}
