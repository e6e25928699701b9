import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { contactJson, contactSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { reads } from '../shared/tool-annotations.ts';

export const getContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/contacts/:id',
    tag: 'Contacts',
    summary: 'Read a contact',
    responses: { 200: contactSchema },
    errors: [404],
    tools: [
      {
        name: 'get_contact',
        title: 'Get a contact',
        description: 'One contact of the address book. Use it when the id is known.',
        annotations: reads,
      },
    ],
    async handle({ params, context }) {
      const { contact } = await contacts.getContact({ id: params.id }, { as: context });
      return json(200, contactJson(contact!));
    },
  });
