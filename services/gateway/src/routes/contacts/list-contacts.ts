import { json, endpoint, type ResponseHeaders, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { contactJson, contactSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { optionalPageLimit, PAGE_DEFAULT, pageCursor } from '../shared/page-query.ts';
import { phoneQuery } from '../shared/phone-query.ts';
import { reads } from '../shared/tool-annotations.ts';

const SEARCH_MAX = 50;

export const listContacts = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'List contacts',
    description:
      'Newest first. `phone` filters by phone number in any common format; the list is empty if the value is not a phone number. With `limit` or `cursor` the response is one page, and its header `Link` with `rel="next"` has the address of the next one, if there is one.',
    query: z.object({
      query: z
        .string()
        .max(512)
        .optional()
        .describe('Parts of name, company, e-mail address or phone number; at most 50, or pages with `limit`'),
      phone: phoneQuery.optional(),
      phones: z
        .string()
        .max(2048)
        .optional()
        .describe('Up to 100 phone numbers in E.164, separated by commas: the contacts that have one of them'),
      limit: optionalPageLimit.describe('1 to 100, to read a page; 50 with `cursor` alone'),
      cursor: pageCursor.describe('From the address of the next page in the header `Link`'),
    }),
    responses: { 200: z.array(contactSchema) },
    errors: [422],
    tools: [
      {
        name: 'search_contacts',
        title: 'Search contacts',
        description:
          'Finds contacts by name, company, e-mail address or phone number; the newest ones without a filter. Use it to find a person’s number or id.',
        annotations: reads,
        omit: ['phones'],
        list: 'contacts',
      },
    ],
    async handle({ query, context, requestId }) {
      const { phone, phones, limit, cursor } = query;
      if (phones !== undefined) {
        const found = await contacts.findContactsByPhones({ phones: phones.split(',') }, { as: context });
        return json(200, found.contacts.map(contactJson));
      }
      if (phone === undefined && (limit !== undefined || cursor !== undefined)) {
        const wanted = { limit: limit ?? PAGE_DEFAULT, cursor, query: query.query };
        const page = await contacts.listContactPage(wanted, { as: context });
        return json(200, page.contacts.map(contactJson), nextPage(page.nextCursor, wanted));
      }
      if (query.query !== undefined && query.query.trim() !== '') {
        const searched = { query: query.query, phone, limit: SEARCH_MAX };
        const found = await contacts.searchContacts(searched, { as: context });
        return json(200, found.contacts.map(contactJson));
      }
      if (phone !== undefined) {
        const { contact } = await contacts.findContactByPhone({ phone }, { as: context });
        return json(200, contact ? [contactJson(contact)] : []);
      }
      const chunks = await openList(
        { context, requestId },
        (options) => contacts.listContacts({}, options),
        (response) => response.contacts,
      );
      return streamArray(chunks, contactJson);
    },
  });

/** The header of RFC 8288: the body is an array and has no room for a cursor. */
function nextPage(
  cursor: string | undefined,
  { limit, query }: { limit: number; query: string | undefined },
): ResponseHeaders {
  if (cursor === undefined) return {};
  const parameters = new URLSearchParams({ ...(query !== undefined && { query }), limit: String(limit), cursor });
  return { Link: `</api/v1/contacts?${parameters}>; rel="next"` };
}
