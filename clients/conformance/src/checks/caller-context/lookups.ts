import { exactly, listOf, nullable, text, timestamp } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { lookUp } from './context.ts';

const { must } = checksOf('caller-context');
const ENDPOINT = { source: 'service-api.md: Caller context', profile: 'api' } as const;
const FULL = { source: 'service-api.md: Caller context', profile: 'full' } as const;

export const lookupChecks: readonly Check[] = [
  must(1, 'Without a phone number the caller context is refused with 400.', ENDPOINT, async ({ companies }) => {
    const company = await companies.shared();
    await company.get('/caller_context').isRefused(400, { error: 'phone parameter required' });
  }),

  must(2, 'A caller context has its contexts, when they were looked up, and a contact.', ENDPOINT, async (context) => {
    const company = await context.companies.shared();
    const entry = { provider: text, label: text, source: text, sections: listOf({ type: text }) };
    await lookUp(company, freshPhone()).gives(200, {
      contexts: listOf(entry),
      enriched_at: nullable(timestamp),
      contact: null,
    });
  }),

  must(3, 'Without integrations nothing was looked up.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    await lookUp(company, freshPhone()).gives(200, { contexts: [], enriched_at: null, contact: null });
  }),

  must(
    4,
    'The contact of a caller context is the full contact.',
    { ...ENDPOINT, source: 'decisions.md: Resources' },
    async (context) => {
      const company = await context.companies.shared();
      const phone = freshPhone();
      const { updated_at: _, ...contact } = await company
        .post('/contacts', { phone, name: 'Ane', note: 'Regular', email: 'ane@example.com' })
        .gives(201);
      await lookUp(company, phone).gives(200, { contact });
    },
  ),

  must(5, 'A number is looked up however it is written.', FULL, async ({ companies }) => {
    const company = await companies.shared({ country: 'DK' });
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone, name: 'Bo' }).gives(201);
    for (const written of [
      phone.slice(3),
      `00${phone.slice(1)}`,
      `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`,
    ])
      await lookUp(company, written).gives(200, { contact: { id } });
  }),

  must(6, 'A lookup of an unknown number makes no contact.', ENDPOINT, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await lookUp(company, phone).gives(200, { contact: null });
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, []);
  }),

  must(
    7,
    "Another company's contact is in no caller context.",
    { ...FULL, source: 'service-api.md: What the service does' },
    async (context) => {
      const [company, another] = [await context.companies.shared(), await context.companies.another()];
      const phone = freshPhone();
      const contact = await company.post('/contacts', { phone, name: 'Carl' }).gives(201);
      await lookUp(company, phone).gives(200, { contact: exactly(contact) });
      await lookUp(another, phone).gives(200, { contact: null });
    },
  ),

  must(
    8,
    'A caller context needs a credential.',
    { ...ENDPOINT, source: 'service-api.md: API keys' },
    async ({ companies }) => {
      const company = await companies.shared();
      await lookUp(company.withHeaders({}), freshPhone()).isRefused(401);
    },
  ),
];
