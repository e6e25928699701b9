import { empty, endpoint, json, type ResponseHeaders, streamArray } from '@parley/http';
import { FileContent } from '@parley/proto/directory/v1/exports_pb';
import { contactJson, contactSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { emailText, longText, nameText, phoneText } from '../shared/bounded-text.ts';
import { csvFile } from '../shared/csv-file.ts';
import { openList } from '../shared/long-list.ts';
import { optionalPageLimit, PAGE_DEFAULT, pageCursor } from '../shared/page-query.ts';
import { phoneQuery } from '../shared/phone-query.ts';
import { textChange } from '../shared/text-change.ts';
import { adds, overwrites } from '../shared/tool-annotations.ts';
import { contactImportEndpoints } from './contact-import-endpoints.ts';

/** The optional fields of a contact as a body has them; null and blank both clear. */
const contactTexts = z.object({
  name: nameText.nullish(),
  email: emailText.nullish(),
  company_name: nameText.nullish(),
  note: longText(10_000).nullish(),
});

export const contactEndpoints = (clients: Clients) => [
  listContacts(clients),
  exportContacts(clients),
  ...contactImportEndpoints(clients),
  createContact(clients),
  getContact(clients),
  updateContact(clients),
  deleteContact(clients),
];

const SEARCH_MAX = 50;

const listContacts = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /contacts',
    sdkMethod: 'contacts.list',
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
    tools: {
      search_contacts: {
        title: 'Search contacts',
        description:
          'Finds contacts by name, company, e-mail address or phone number; the newest ones without a filter. Use it to find a person’s number or id.',
        omit: ['phones'],
        list: 'contacts',
      },
    },
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

const contactFields = Object.keys(contactSchema.shape) as (keyof typeof contactSchema.shape)[];

const exportContacts = ({ contacts, exports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /contacts/export.csv',
    sdkMethod: 'contacts.export',
    summary: 'Export contacts',
    description:
      'Every contact as a CSV file (RFC 4180), newest first, with the fields of a contact as columns. A text that a spreadsheet would take for a formula has an apostrophe in front; a phone number has none.',
    responses: { 200: 'text/csv' },
    async handle({ context, requestId }) {
      return csvFile(
        { exports },
        { context, requestId },
        {
          content: FileContent.CONTACTS,
          name: 'contacts.csv',
          columns: contactFields.map((name) => [name, (contact: z.output<typeof contactSchema>) => contact[name]]),
          read: (options) => contacts.listContacts({}, options),
          itemsOf: (response) => response.contacts.map(contactJson),
        },
      );
    },
  });

const createContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /contacts',
    sdkMethod: 'contacts.create',
    summary: 'Create a contact',
    description: 'The phone number is normalised to E.164 and must be unique in the company.',
    body: contactTexts.extend({ phone: phoneText }),
    responses: { 201: contactSchema },
    errors: [422],
    tools: {
      create_contact: {
        description: 'Adds a contact to the address book. Search first: a phone number can be saved only once.',
        annotations: adds,
      },
    },
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

const getContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /contacts/:id',
    sdkMethod: 'contacts.get',
    summary: 'Read a contact',
    description: 'One entry of the address book. `phone` is E.164, `phone_formatted` is for display.',
    responses: { 200: contactSchema },
    errors: [404],
    tools: {
      get_contact: {
        title: 'Get a contact',
        description: 'One contact of the address book. Use it when the id is known.',
      },
    },
    async handle({ params, context }) {
      const { contact } = await contacts.getContact({ id: params.id }, { as: context });
      return json(200, contactJson(contact!));
    },
  });

const updateContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PATCH /contacts/:id',
    sdkMethod: 'contacts.update',
    summary: 'Update a contact',
    description:
      'Omitted fields keep their values; null clears a field. The phone number must be unique in the company.',
    body: contactTexts.extend({ phone: phoneText.optional() }),
    responses: { 200: contactSchema },
    errors: [404, 422],
    tools: {
      update_contact: {
        description:
          'Changes the given fields of a contact; null clears a field. Use it to correct or add what is known.',
        annotations: overwrites,
      },
    },
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

const deleteContact = ({ contacts }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /contacts/:id',
    sdkMethod: 'contacts.delete',
    summary: 'Delete a contact',
    description: 'Archived calls keep their phone numbers but are no longer linked to the contact.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await contacts.deleteContact({ id: params.id }, { as: context });
      return empty(204);
    },
  });
