import { json, endpoint, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { phoneQuery } from '../shared/phone-query.ts';
import { contactJson, contactSchema } from './contact-json.ts';
import { reads } from '../shared/tool-annotations.ts';

const SEARCH_MAX = 50;

export const listContacts = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'List contacts',
    description:
      'Newest first. `phone` filters by phone number in any common format; the list is empty if the value is not a phone number.',
    query: z.object({
      query: z
        .string()
        .max(512)
        .optional()
        .describe('Parts of name, company, e-mail address or phone number; at most 50'),
      phone: phoneQuery.optional(),
    }),
    responses: { 200: z.array(contactSchema) },
    tools: [
      {
        name: 'search_contacts',
        title: 'Search contacts',
        description:
          'Finds contacts by name, company, e-mail address or phone number; the newest ones without a filter. Use it to find a person’s number or id.',
        annotations: reads,
        list: 'contacts',
      },
    ],
    async handle({ query, context, requestId }) {
      const { phone } = query;
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
