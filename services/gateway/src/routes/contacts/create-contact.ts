import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { contactJson, contactSchema } from '@parley/public-json';
import { contactTexts } from './contact-body.ts';
import type { Clients } from '../../peers/peers.ts';
import { phoneText } from '../shared/bounded-text.ts';
import { adds } from '../shared/tool-annotations.ts';

export const createContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'Create a contact',
    description: 'The phone number is normalised to E.164 and must be unique in the company.',
    body: contactTexts.extend({ phone: phoneText }),
    responses: { 201: contactSchema },
    errors: [422],
    tools: [
      {
        name: 'create_contact',
        title: 'Create a contact',
        description: 'Adds a contact to the address book. Search first: a phone number can be saved only once.',
        annotations: adds,
      },
    ],
    async handle({ body, context }) {
      const { contact } = await contacts.createContact(
        {
          phone: body.phone,
          name: body.name ?? undefined,
          email: body.email ?? undefined,
          companyName: body.company_name ?? undefined,
          note: body.note ?? undefined,
        },
        { as: context },
      );
      return json(201, contactJson(contact!));
    },
  });
