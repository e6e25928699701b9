import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { contactJson, contactSchema } from '@parley/public-json';
import { contactTexts } from './contact-body.ts';
import type { Clients } from '../../peers/peers.ts';
import { textChange } from '../shared/text-change.ts';
import { phoneText } from '../shared/bounded-text.ts';
import { overwrites } from '../shared/tool-annotations.ts';

export const updateContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'patch',
    path: '/contacts/:id',
    tag: 'Contacts',
    summary: 'Update a contact',
    description:
      'Omitted fields keep their values; null clears a field. The phone number must be unique in the company.',
    body: contactTexts.extend({ phone: phoneText.optional() }),
    responses: { 200: contactSchema },
    errors: [404, 422],
    tools: [
      {
        name: 'update_contact',
        title: 'Update a contact',
        description:
          'Changes the given fields of a contact; null clears a field. Use it to correct or add what is known.',
        annotations: overwrites,
      },
    ],
    async handle({ params, body, context }) {
      const { contact } = await contacts.updateContact(
        {
          id: params.id,
          phone: body.phone,
          name: textChange(body.name),
          email: textChange(body.email),
          companyName: textChange(body.company_name),
          note: textChange(body.note),
        },
        { as: context },
      );
      return json(200, contactJson(contact!));
    },
  });
