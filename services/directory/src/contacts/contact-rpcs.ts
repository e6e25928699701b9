import type { Clock } from '@parley/clock';
import { invalid, notFound, refusal, Refused } from '@parley/errors';
import { type SignedTokens, newId } from '@parley/secrets';
import { readPhoneNumber } from '@parley/phone-numbers';
import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import type { Companies } from '../companies/company-store.ts';
import { type Contact, createContact, deleteContact, searchWords, updateContact } from './contact.ts';
import {
  changeFromProto,
  type ContactCap,
  type Contacts,
  contactSearch,
  contactToProto,
  detailsFromProto,
  newestContacts,
  OLDEST_FIRST,
} from './contact-store.ts';
import { endOfPage, type ListPosition, matchesSearch, NEWEST_FIRST } from '../newest-first/newest-first.ts';

export interface ContactDeps {
  readonly contacts: Contacts;
  readonly companies: Companies;
  readonly clock: Clock;
  /** The next creation's place in the order. */
  readonly tick: () => number;
  readonly cap: ContactCap;
  readonly cursors: SignedTokens;
}

const PHONES_MAX = 100;
const PAGE_LIMIT_MAX = 100;
const SEARCH_LIMIT_MAX = 50;

export function addContactServices(server: RpcServer, deps: ContactDeps): void {
  const { contacts, companies, clock, tick, cap, cursors } = deps;
  const search = contactSearch(contacts);

  async function withNumber(companyId: string, text: string): Promise<Contact | undefined> {
    const phone = readPhoneNumber(text, await companies.countryOf(companyId));
    return phone && (await contacts.of(companyId).findOne({ phone: phone.number }));
  }

  server.add(ContactService, employees.withRole('member'), {
    async createContact(request, { principal: { companyId } }) {
      const country = await companies.countryOf(companyId);
      const identity = { id: newId('con'), companyId, createdOrder: tick() };
      const decision = createContact(identity, detailsFromProto(request), country, clock.now());
      if (decision.ok && !(await cap.hasCapacity(companyId))) {
        throw new Refused(refusal('limit_reached', `a company has at most ${cap.max} contacts`));
      }
      const contact = await contacts.of(companyId).create(decision);
      cap.added(companyId);
      return { contact: contactToProto(contact) };
    },
    async getContact({ id }, { principal: { companyId } }) {
      const contact = await contacts.of(companyId).get(id);
      if (!contact) throw new Refused(notFound);
      return { contact: contactToProto(contact) };
    },
    async *listContacts(_request, { principal: { companyId } }) {
      for await (const chunk of contacts.of(companyId).findInChunks({}, NEWEST_FIRST)) {
        yield { contacts: chunk.map(contactToProto) };
      }
    },
    async listContactPage({ query = '', cursor, limit: requested }, { principal: { companyId } }) {
      const own = contacts.of(companyId);
      const scope = ['contacts', companyId, query.trim()];
      const after = cursor === undefined ? undefined : (cursors.open(cursor, scope) as ListPosition | undefined);
      if (cursor !== undefined && !after) throw new Refused(invalid({ cursor: ['is invalid'] }));
      const words = searchWords(query);
      if (query.trim() !== '') {
        const exact = await withNumber(companyId, query);
        if (exact) return { contacts: [contactToProto(exact)] };
        if (words.length === 0) return { contacts: [] };
      }
      const limit = Math.min(Math.max(requested, 1), PAGE_LIMIT_MAX);
      // One more than requested, to detect whether there is a next page.
      const found = await (words.length > 0
        ? search(companyId, words, limit + 1, after)
        : newestContacts(own, limit + 1, after));
      const page = found.slice(0, limit);
      const end = endOfPage(page, after);
      const nextCursor = end && found.length > limit ? cursors.seal(end, scope) : undefined;
      return { contacts: page.map(contactToProto), nextCursor };
    },
    async findContactByPhone({ phone }, { principal: { companyId } }) {
      const contact = await withNumber(companyId, phone);
      return contact ? { contact: contactToProto(contact) } : {};
    },
    async findContactsByPhones({ phones }, { principal: { companyId } }) {
      if (phones.length > PHONES_MAX) throw new Refused(invalid({ phones: [`are more than ${PHONES_MAX}`] }));
      const found = contacts.of(companyId).find({ phone: { $in: phones } }, { phone: 1 });
      return { contacts: (await Array.fromAsync(found)).map(contactToProto) };
    },
    async searchContacts({ query, limit, phone: wanted }, { principal: { companyId } }) {
      const words = searchWords(query);
      const exact = await withNumber(companyId, query);
      if (wanted !== undefined) {
        const contact = await withNumber(companyId, wanted);
        const isFound = contact && (contact.id === exact?.id || matchesSearch(contact.searchTerms ?? [], words));
        return { contacts: isFound ? [contactToProto(contact)] : [] };
      }
      if (exact) return { contacts: [contactToProto(exact)] };
      if (words.length === 0) return { contacts: [] };
      const bounded = Math.min(Math.max(limit, 1), SEARCH_LIMIT_MAX);
      return { contacts: (await search(companyId, words, bounded)).map(contactToProto) };
    },
    async updateContact(request, { principal: { companyId } }) {
      const country = await companies.countryOf(companyId);
      const change = changeFromProto(request);
      const contact = await contacts
        .of(companyId)
        .change(request.id, (current) => updateContact(current, change, country, clock.now()));
      return { contact: contactToProto(contact) };
    },
    async deleteContact({ id }, { principal: { companyId } }) {
      await contacts.of(companyId).change(id, deleteContact);
      return {};
    },
  });

  server.add(ContactLookupService, services('assistant', 'messaging-inbox'), {
    async lookUpContact({ companyId, phone }) {
      const contact = await withNumber(companyId, phone);
      return contact ? { contact: contactToProto(contact) } : {};
    },
    /**
     * A company's contacts in the order of their creation, all companies' in the order of their ids: neither ever changes for a
     * contact, so a resumed backfill leaves none out.
     */
    async *listContactsForBackfill({ companyId, after }) {
      const ofCompany = companyId !== '';
      const chunks = ofCompany
        ? contacts.of(companyId).findInChunks({ createdOrder: { $gte: orderFrom(after) } }, OLDEST_FIRST)
        : contacts.acrossCompanies.findInChunks({ id: { $gt: after } }, { id: 1 });
      const cursorOf = ({ id, createdOrder }: Contact) => (ofCompany ? String(createdOrder) : id);
      for await (const chunk of chunks) {
        const last = chunk.at(-1);
        if (last)
          yield {
            contacts: chunk.map((contact) => ({ companyId: contact.companyId, contact: contactToProto(contact) })),
            cursor: cursorOf(last),
          };
      }
    },
  });
}

function orderFrom(after: string): number {
  const order = Number(after);
  if (!Number.isSafeInteger(order)) throw new Refused(invalid({ after: ['is not a cursor of this list'] }));
  return order;
}
