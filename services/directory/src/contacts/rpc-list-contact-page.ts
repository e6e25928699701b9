import { invalid, Refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { ContactDeps } from './contact-deps.ts';
import { contactToProto } from './contact-proto.ts';
import { searchWords } from './contact-search.ts';
import { type ContactPosition, endOfPage, newestContacts, searchContacts } from './contact-store.ts';

const LIMIT_MAX = 100;

export const listContactPageRpc =
  ({
    contacts,
    companies,
    cursors,
  }: ContactDeps): Handler<typeof ContactService.method.listContactPage, EmployeePrincipal> =>
  async ({ query = '', cursor, limit: requested }, { principal: { companyId } }) => {
    const own = contacts.of(companyId);
    const scope = ['contacts', companyId, query.trim()];
    const after = cursor === undefined ? undefined : (cursors.open(cursor, scope) as ContactPosition | undefined);
    if (cursor !== undefined && !after) throw new Refused(invalid({ cursor: ['is invalid'] }));
    const words = searchWords(query);
    if (query.trim() !== '') {
      const phone = readPhoneNumber(query, await companies.countryOf(companyId));
      const exact = phone && (await own.findOne({ phone: phone.number }));
      if (exact) return { contacts: [contactToProto(exact)] };
      if (words.length === 0) return { contacts: [] };
    }
    const limit = Math.min(Math.max(requested, 1), LIMIT_MAX);
    // One more than requested, to detect whether there is a next page.
    const found = await (words.length > 0
      ? searchContacts(own, words, limit + 1, after)
      : newestContacts(own, limit + 1, after));
    const page = found.slice(0, limit);
    const end = endOfPage(page, after);
    const nextCursor = end && found.length > limit ? cursors.seal(end, scope) : undefined;
    return { contacts: page.map(contactToProto), nextCursor };
  };
