import { expect, expectThat } from '../../expectations/expect.ts';
import { listOf, text, timestamp } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('contacts');
const ENDPOINTS = { source: 'service-api.md: Contacts', profile: 'api' } as const;
const FULL = { source: 'service-api.md: Contacts', profile: 'full' } as const;

const CONTACT = { id: text, phone: text, phone_formatted: text, created_at: timestamp, updated_at: timestamp };

export const listChecks: readonly Check[] = [
  must(20, 'The list of contacts is a bare array of whole contacts.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Carl' }).gives(201);
    const listed = await company.get('/contacts').gives(200, listOf(CONTACT));
    expect(
      listed.find(({ id }: { id: string }) => id === made.id),
      made,
      'the contact in the list',
    );
  }),

  must(21, 'The list of contacts begins with the newest one.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { id } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
      ids.unshift(id);
    }
    const listed = await company.get('/contacts').gives(200);
    const found = listed.map(({ id }: { id: string }) => id).filter((id: string) => ids.includes(id));
    expect(found, ids, 'the order of three contacts, the last of them first');
  }),

  must(22, 'A company without contacts has an empty list.', FULL, async ({ companies }) => {
    const company = await companies.fresh();
    await company.get('/contacts').gives(200, []);
  }),

  must(23, 'The list of contacts has all of them without a limit.', FULL, async ({ companies }) => {
    const company = await companies.fresh();
    const phones = Array.from({ length: 120 }, freshPhone);
    await Promise.all(phones.map((phone) => company.post('/contacts', { phone }).gives(201)));
    const listed = await company.get('/contacts').gives(200);
    expect(listed.map(({ phone }: { phone: string }) => phone).sort(), phones.sort(), 'the numbers of all contacts');
  }),

  must(24, 'With a phone number the list has the one contact that has it.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const made = await company.post('/contacts', { phone }).gives(201);
    await company.post('/contacts', { phone: freshPhone() }).gives(201);
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, [made]);
  }),

  must(25, 'The phone number that is looked for is normalised.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    const written = `${phone.slice(0, 3)} ${phone.slice(3, 7)}-${phone.slice(7)} `;
    await company.get(`/contacts?phone=${encodeURIComponent(written)}`).gives(200, [{ id }]);
  }),

  must(26, "A national number is looked for with the company's country.", FULL, async ({ companies }) => {
    const company = await companies.shared({ country: 'DK' });
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    await company.get(`/contacts?phone=${phone.slice(3)}`).gives(200, [{ id }]);
  }),

  must(27, 'A number that no contact has gives an empty list.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    await company.get(`/contacts?phone=${encodeURIComponent(freshPhone())}`).gives(200, []);
  }),

  must(28, 'What cannot be read as a phone number gives an empty list.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    await company.post('/contacts', { phone: freshPhone() }).gives(201);
    for (const phone of ['nobody', '%2B45', '%00', '12', '%2B999123456789'])
      await company.get(`/contacts?phone=${phone}`).gives(200, []);
  }),

  must(
    29,
    'An object in the query is no operator of a database.',
    { source: 'decisions.md: Bodies and statuses', profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const [phone, other] = [freshPhone(), freshPhone()];
      await company.post('/contacts', { phone }).gives(201);
      // Everything but one number, if it were understood.
      const { status, body } = await company.get(`/contacts?phone[$ne]=${encodeURIComponent(other)}&phone[$gt]=`);
      expectThat(status === 200 || status === 422, `the list was answered with ${status} instead of 200 or 422`);
      if (status === 422) return;
      const all = await company.get('/contacts').gives(200);
      expectThat(
        body.length === 0 || body.length === all.length,
        `${body.length} of ${all.length} contacts were found by an object`,
      );
    },
  ),
];
