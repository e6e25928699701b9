import { json, HttpError, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import type { CallerRecord, Records } from './records.ts';
import { sectionEntries } from './section-entries.ts';

const ROOT = '/integrations/accounting';

/** The three calls of e-conomic's REST API that a lookup makes. `ready` applies the current fault. */
export function economicEndpoints(
  records: Records,
  ready: (signal: AbortSignal) => Promise<void>,
): Endpoint<undefined>[] {
  const signedIn = z.object({ 'x-appsecrettoken': z.string().min(1), 'x-agreementgranttoken': z.string().min(1) });
  const refuseInput = ({ part }: { part: string }) =>
    part === 'headers'
      ? new HttpError(401, { message: 'Unauthorized', errorCode: 'E00500', httpStatusCode: 401 })
      : undefined;
  const every = {
    tag: 'Integrations',
    headers: signedIn,
    responses: { 200: z.json() },
    inputError: refuseInput,
  } as const;

  const customers = endpoint('none')({
    ...every,
    route: `GET ${ROOT}/customers`,
    summary: 'Filter customers as e-conomic does',
    query: z.object({ filter: z.string().default('') }),
    async handle({ query, signal }) {
      await ready(signal);
      const requested = new Set(query.filter.split('$or:').map((term) => term.replace(/^\w+\$eq:/, '')));
      const found = records
        .all('accounting')
        .map(({ phone, record }, index) => ({ number: index + 1, phone, record }))
        .filter(({ phone }) => requested.has(phone));
      return json(200, page(found.map(({ number, phone, record }) => customer(number, phone, record))));
    },
  });

  const contacts = endpoint('none')({
    ...every,
    route: `GET ${ROOT}/customers/:number/contacts`,
    summary: 'List a customer’s contacts as e-conomic does',
    async handle({ params, signal }) {
      await ready(signal);
      const found = records.all('accounting')[Number(params.number) - 1];
      const { name, email, note } = found?.record.contact ?? {};
      const person = {
        customerContactNumber: 1,
        name,
        email: email ?? undefined,
        phone: found?.phone,
        notes: note ?? undefined,
      };
      return json(200, page(name ? [person] : []));
    },
  });

  const unpaid = endpoint('none')({
    ...every,
    route: `GET ${ROOT}/invoices/unpaid`,
    summary: 'List unpaid invoices as e-conomic does',
    query: z.object({ filter: z.string().default('') }),
    async handle({ query, signal }) {
      await ready(signal);
      const [, number] = /^customer\.customerNumber\$eq:(\d+)$/.exec(query.filter) ?? [];
      const found = records.all('accounting')[Number(number) - 1];
      return json(200, page(found ? invoicesOf(found.record) : []));
    },
  });

  return [customers, contacts, unpaid];
}

function page(collection: object[]) {
  return { collection: JSON.parse(JSON.stringify(collection)), pagination: { results: collection.length } };
}

/** A customer is a firm, or a person who has none. */
function customer(customerNumber: number, phone: string, record: CallerRecord) {
  const { name, email, company_name: company } = record.contact ?? {};
  const invoices = invoicesOf(record);
  return {
    customerNumber,
    name: company ?? name ?? `Customer ${customerNumber}`,
    email: email ?? undefined,
    telephoneAndFaxNumber: phone,
    currency: invoices[0]?.currency ?? 'DKK',
    balance: invoices.reduce((sum, { remainder }) => sum + remainder, 0),
  };
}

function invoicesOf(record: CallerRecord) {
  return sectionEntries(record).map((entry, index) => ({
    bookedInvoiceNumber: Number(/\d+/.exec(entry.title ?? '')?.[0] ?? 10_001 + index),
    date: entry.dates[0] ?? '2024-01-15',
    dueDate: entry.dates[1] ?? '2024-02-15',
    currency: entry.money?.currency ?? 'DKK',
    remainder: Number(entry.money?.amount ?? 0),
  }));
}
