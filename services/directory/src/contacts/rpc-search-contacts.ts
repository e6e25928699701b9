import { readPhoneNumber } from '@parley/phone-numbers';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { ContactDeps } from './contact-deps.ts';
import { contactToProto } from './contact-proto.ts';
import { NEWEST_FIRST, searchFilter } from './contact-store.ts';
import { searchWords } from './contact-search.ts';

const LIMIT_MAX = 50;

export const searchContactsRpc =
  ({ contacts, companies }: ContactDeps): Handler<typeof ContactService.method.searchContacts, EmployeePrincipal> =>
  async ({ query, limit }, { principal: { companyId } }) => {
    const own = contacts.of(companyId);
    const phone = readPhoneNumber(query, await companies.countryOf(companyId));
    const exact = phone && (await own.findOne({ phone: phone.number }));
    if (exact) return { contacts: [contactToProto(exact)] };
    const words = searchWords(query);
    if (words.length === 0) return { contacts: [] };
    const found = own.find(searchFilter(words), NEWEST_FIRST, Math.min(Math.max(limit, 1), LIMIT_MAX));
    return { contacts: (await Array.fromAsync(found)).map(contactToProto) };
  };
