import { answer, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { contactJson, contactSchema } from './contact-json.ts';

export const getContact = ({ contacts }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'get',
    path: '/contacts/:id',
    tag: 'Contacts',
    summary: 'Read a contact',
    answers: { 200: contactSchema },
    refuses: [404],
    async handle({ params, context }) {
      const { contact } = await contacts.getContact({ id: params.id }, { as: context });
      return answer(200, contactJson(contact!));
    },
  });
