import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { contactJson, contactSchema } from './contact-json.ts';

export const getContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/contacts/:id',
    tag: 'Contacts',
    summary: 'Read a contact',
    responses: { 200: contactSchema },
    errors: [404],
    async handle({ params, context }) {
      const { contact } = await contacts.getContact({ id: params.id }, { as: context });
      return json(200, contactJson(contact!));
    },
  });
