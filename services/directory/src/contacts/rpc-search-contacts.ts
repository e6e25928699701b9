import { readPhoneNumber } from '@parley/phone-numbers';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { ContactDeps } from './contact-deps.ts';
import { contactToProto } from './contact-proto.ts';
import { searchContacts } from './contact-store.ts';
import { matchesSearch, searchWords } from './contact-search.ts';

const LIMIT_MAX = 50;

export const searchContactsRpc =
  ({ contacts, companies }: ContactDeps): Handler<typeof ContactService.method.searchContacts, EmployeePrincipal> =>
  async ({ query, limit, phone: wanted }, { principal: { companyId } }) => {
    const own = contacts.of(companyId);
    const country = await companies.countryOf(companyId);
    const withNumber = async (text: string) => {
      const phone = readPhoneNumber(text, country);
      return phone && (await own.findOne({ phone: phone.number }));
    };
    const words = searchWords(query);
    const exact = await withNumber(query);
    if (wanted !== undefined) {
      const contact = await withNumber(wanted);
      const isFound = contact && (contact.id === exact?.id || matchesSearch(contact.searchTerms ?? [], words));
      return { contacts: isFound ? [contactToProto(contact)] : [] };
    }
    if (exact) return { contacts: [contactToProto(exact)] };
    if (words.length === 0) return { contacts: [] };
    const found = await searchContacts(own, words, Math.min(Math.max(limit, 1), LIMIT_MAX));
    return { contacts: found.map(contactToProto) };
  };
