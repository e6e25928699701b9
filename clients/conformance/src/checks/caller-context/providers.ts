import { expect, expectThat } from '../../expectations/expect.ts';
import { someText, text, timestamp } from '../../expectations/shapes.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { companyKnowing, lookUp } from './context.ts';

const { must } = checksOf('caller-context');
const CONTEXT = { source: 'service-api.md: Caller context', profile: 'full', alone: true } as const;
const LIMITS = { source: 'decisions.md: Resources', profile: 'full', alone: true } as const;

const SECTIONS = [
  {
    type: 'fields',
    label: 'Membership',
    fields: [
      { label: 'Level', value: 'Gold', format: 'badge', bold: true },
      {
        label: 'Spent',
        value: { amount: '120.50', currency: 'EUR' },
        format: 'money',
        url: 'https://shop.example.com/1',
      },
      { label: 'Since', value: '2024-05-06T07:08:09Z', format: 'date' },
    ],
  },
  {
    type: 'table',
    label: 'Orders',
    columns: [
      { key: 'number', label: 'Number' },
      { key: 'total', label: 'Total', format: 'money' },
    ],
    rows: [
      { url: 'https://shop.example.com/orders/7', values: { number: '7', total: { amount: '9.00', currency: 'DKK' } } },
    ],
  },
];

export const providerChecks: readonly Check[] = [
  must(
    20,
    "A provider's answer is passed on: who it is, where it is, and all its sections.",
    CONTEXT,
    async (context) => {
      const phone = freshPhone();
      const contact = { name: 'Dora', email: 'dora@example.com', company_name: 'Dora ApS', note: 'Pays late' };
      const url = 'https://shop.example.com/customers/1';
      const company = await companyKnowing(context, {
        custom_endpoint: { [phone]: { contact, url, sections: SECTIONS } },
      });
      await lookUp(company, phone).gives(200, {
        contexts: [
          { provider: someText, label: someText, source: text, url, contact: { name: 'Dora' }, sections: SECTIONS },
        ],
        enriched_at: timestamp,
      });
      // Somebody whom the provider does not know.
      await lookUp(company, freshPhone()).gives(200, { contexts: [], enriched_at: timestamp, contact: null });
    },
  ),

  must(
    21,
    'A provider that names a caller makes a contact, or fills what is blank in it.',
    CONTEXT,
    async (context) => {
      const [unknown, known, nameless] = [freshPhone(), freshPhone(), freshPhone()];
      const contact = { name: 'Elin', email: 'elin@example.com', company_name: 'Elin & Co', note: 'From the shop' };
      const company = await companyKnowing(context, {
        custom_endpoint: {
          [unknown]: { contact },
          [known]: { contact },
          [nameless]: { contact: { email: 'who@example.com' } },
        },
      });
      const { id } = await company.post('/contacts', { phone: known, name: 'My Elin', note: 'My note' }).gives(201);
      await lookUp(company, unknown).gives(200, { contact: { phone: unknown, ...contact } });
      const filled = { id, name: 'My Elin', note: 'My note', email: contact.email, company_name: contact.company_name };
      await lookUp(company, known).gives(200, { contact: filled });
      await lookUp(company, nameless).gives(200, { contact: null });
      await company.get(`/contacts?phone=${encodeURIComponent(unknown)}`).gives(200, [contact]);
      await company.get(`/contacts/${id}`).gives(200, filled);
      await company.get(`/contacts?phone=${encodeURIComponent(nameless)}`).gives(200, []);
    },
  ),

  must(
    22,
    'Of several providers, the custom endpoint comes before the shop, and the shop before accounting.',
    CONTEXT,
    async (context) => {
      const [all, two] = [freshPhone(), freshPhone()];
      const person = (name: string) => ({ contact: { name, email: `${name.toLowerCase()}@example.com` } });
      const company = await companyKnowing(context, {
        accounting: { [all]: person('Accounted'), [two]: person('Accounted') },
        ecommerce: { [all]: person('Shopper'), [two]: person('Shopper') },
        custom_endpoint: { [all]: person('Custom') },
      });
      const { contexts } = await lookUp(company, all).gives(200, { contact: { name: 'Custom' } });
      expect(contexts.length, 3, 'the number of contexts');
      expect(new Set(contexts.map(({ provider }: any) => provider)).size, 3, 'the number of different providers');
      const both = await lookUp(company, two).gives(200, { contact: { name: 'Shopper' } });
      expect(both.contexts.length, 2, 'the number of contexts of the other number');
    },
  ),

  must(
    23,
    'Over-long fields of a provider are cut, and an address that is none is left out.',
    LIMITS,
    async (context) => {
      const [long, wrong] = [freshPhone(), freshPhone()];
      const contact = { name: 'N'.repeat(200), company_name: 'C'.repeat(200), note: 't'.repeat(10_500) };
      const company = await companyKnowing(context, {
        custom_endpoint: { [long]: { contact }, [wrong]: { contact: { name: 'Finn', email: 'not an address' } } },
      });
      await lookUp(company, long).gives(200, {
        contact: { name: 'N'.repeat(128), company_name: 'C'.repeat(128), note: 't'.repeat(10_000) },
      });
      const { contact: made } = await lookUp(company, wrong).gives(200, { contact: { name: 'Finn' } });
      expectThat(!made.email, `the contact has the e-mail address ${made.email}`);
    },
  ),

  must(24, 'The context of a provider that fails is left out, and the rest is there.', LIMITS, async (context) => {
    const phone = freshPhone();
    const company = await companyKnowing(context, { custom_endpoint: { [phone]: { contact: { name: 'Gerda' } } } });
    const { id } = await company.post('/contacts', { phone, name: `Contact ${freshWord()}` }).gives(201);
    await context.faults.set({ integrations: 'fail' });
    await lookUp(company, phone).gives(200, { contexts: [], contact: { id } });
  }),

  must(25, 'An integration that was removed is not asked.', CONTEXT, async (context) => {
    const phone = freshPhone();
    const company = await companyKnowing(context, { custom_endpoint: { [phone]: { contact: { name: 'Hans' } } } });
    await context.operator.delete(`/companies/${company.id}/integrations/custom_endpoint`).givesNothing();
    await lookUp(company, phone).gives(200, { contexts: [], enriched_at: null, contact: null });
  }),
];
