import { json, endpoint, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { openList } from '../long-list.ts';
import { phoneQuery } from '../phone-query.ts';
import { contactJson, contactSchema } from './contact-json.ts';

export const listContacts = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'List contacts',
    description:
      'Newest first. `phone` filters by phone number in any common format; the list is empty if the value is not a phone number.',
    query: z.object({ phone: phoneQuery.optional() }),
    responses: { 200: z.array(contactSchema) },
    async handle({ query, context, requestId }) {
      if (query.phone !== undefined) {
        const { contact } = await contacts.findContactByPhone({ phone: query.phone }, { as: context });
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
