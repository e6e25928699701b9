import { endpoint } from '@parley/http';
import { contactJson, contactSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { csvFile } from '../shared/csv-file.ts';
import { openList } from '../shared/long-list.ts';

const columns = Object.keys(contactSchema.shape) as (keyof typeof contactSchema.shape)[];

export const exportContacts = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'get',
    path: '/contacts/export.csv',
    tag: 'Contacts',
    summary: 'Export contacts',
    description:
      'Every contact as a CSV file (RFC 4180), newest first, with the fields of a contact as columns. A text that a spreadsheet would take for a formula has an apostrophe in front; a phone number has none.',
    responses: { 200: 'text/csv' },
    async handle({ context, requestId }) {
      const chunks = await openList(
        { context, requestId },
        (options) => contacts.listContacts({}, options),
        (response) => response.contacts,
      );
      return csvFile('contacts.csv', columns, chunks, (contact) => {
        const fields = contactJson(contact);
        return columns.map((name) => fields[name]);
      });
    },
  });
