import { z } from 'zod';
import type { Caller, Provider } from './provider.ts';
import { readLookupResult } from './read-lookup-result.ts';

const PAGE = '20';

const customersAnswer = z.object({
  collection: z.array(
    z.looseObject({
      customerNumber: z.int(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      telephoneAndFaxNumber: z.string().nullish(),
      mobilePhone: z.string().nullish(),
      balance: z.number().nullish(),
      currency: z.string().nullish(),
    }),
  ),
});
const contactsAnswer = z.object({
  collection: z.array(
    z.looseObject({
      name: z.string().nullish(),
      email: z.string().nullish(),
      phone: z.string().nullish(),
      notes: z.string().nullish(),
    }),
  ),
});
const invoicesAnswer = z.object({
  collection: z.array(
    z.looseObject({
      bookedInvoiceNumber: z.int(),
      date: z.string().nullish(),
      dueDate: z.string().nullish(),
      currency: z.string().nullish(),
      remainder: z.number().nullish(),
    }),
  ),
});

/** An e-conomic agreement over its REST API: the customer with the number, the person who calls, and open invoices. */
export const economic: Provider = {
  name: 'economic',
  async lookUp(caller, { url, secret }, request) {
    const base = url.replace(/\/+$/, '');
    const headers = { Accept: 'application/json', ...tokens(secret) };
    const get = (path: string, query: Record<string, string>) =>
      request({ url: `${base}${path}?${new URLSearchParams({ ...query, pagesize: PAGE })}`, headers });
    const answer = await get('/customers', { filter: phoneFilter(caller) });
    if (answer === undefined) return undefined;
    const customer = customersAnswer
      .parse(answer)
      .collection.find((one) => caller.isSame(one.telephoneAndFaxNumber) || caller.isSame(one.mobilePhone));
    if (!customer) return undefined;
    const number = customer.customerNumber;
    const [contacts, invoices] = await Promise.all([
      get(`/customers/${number}/contacts`, {}),
      get('/invoices/unpaid', { filter: `customer.customerNumber$eq:${number}` }),
    ]);
    const people = contacts === undefined ? [] : contactsAnswer.parse(contacts).collection;
    const open = invoices === undefined ? [] : invoicesAnswer.parse(invoices).collection;
    const person = people.find((one) => caller.isSame(one.phone));
    return readLookupResult({
      contact: {
        name: person?.name || customer.name,
        email: person?.email || customer.email,
        company_name: person && person.name !== customer.name ? customer.name : undefined,
        note: person?.notes,
      },
      sections: [
        {
          type: 'fields',
          label: 'Customer',
          fields: [
            { label: 'Customer number', value: number },
            { label: 'Balance', value: money(customer.balance, customer.currency), format: 'money', bold: true },
          ],
        },
        open.length > 0 && {
          type: 'table',
          label: 'Open invoices',
          columns: [
            { key: 'invoice', label: 'Invoice' },
            { key: 'date', label: 'Date', format: 'date' },
            { key: 'due', label: 'Due', format: 'date' },
            { key: 'amount', label: 'Open amount', format: 'money' },
          ],
          rows: open.map((invoice) => ({
            values: {
              invoice: invoice.bookedInvoiceNumber,
              date: invoice.date,
              due: invoice.dueDate,
              amount: money(invoice.remainder, invoice.currency),
            },
          })),
        },
      ],
    });
  },
};

/** The app's secret and the agreement's grant, separated by a colon; a single token is used for both, as in e-conomic's own demo. */
function tokens(secret: string): Record<string, string> {
  const split = secret.indexOf(':');
  const [app, grant] = split < 0 ? [secret, secret] : [secret.slice(0, split), secret.slice(split + 1)];
  return { 'X-AppSecretToken': app, 'X-AgreementGrantToken': grant };
}

/** e-conomic compares phone numbers as strings, so the query contains all common formats. */
function phoneFilter({ phone, international, national }: Caller): string {
  const spellings = new Set([
    phone,
    phone.slice(1),
    `00${phone.slice(1)}`,
    international,
    national,
    national.replace(/\D/g, ''),
  ]);
  return [...spellings]
    .map(escapeFilter)
    .flatMap((written) => [`telephoneAndFaxNumber$eq:${written}`, `mobilePhone$eq:${written}`])
    .join('$or:');
}

/** e-conomic escapes the operators of its filter syntax with a dollar sign. */
function escapeFilter(text: string): string {
  return text.replace(/[$()*,[\]]/g, '$$$&');
}

function money(amount: number | null | undefined, currency: string | null | undefined): object | undefined {
  return typeof amount === 'number' && currency ? { amount: amount.toFixed(2), currency } : undefined;
}
