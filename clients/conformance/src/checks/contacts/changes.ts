import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('contacts');
const ENDPOINTS = { source: 'service-api.md: Contacts', profile: 'api' } as const;
const FIELDS = { source: 'service-api.md: Contact', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;

export const changeChecks: readonly Check[] = [
  must(40, 'Every field of a contact can be changed, the phone number too.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/contacts', { phone: freshPhone(), name: 'Dora' }).gives(201);
    const change = {
      phone: freshPhone(),
      name: 'Dorothea',
      email: 'dorothea@example.com',
      company_name: 'Dorothea ApS',
      note: 'Moved',
    };
    const changed = await company.patch(`/contacts/${id}`, change).gives(200, { ...change, id });
    await company.get(`/contacts/${id}`).gives(200, exactly(changed));
  }),

  must(41, 'A change of a contact keeps what it leaves out.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const sent = { phone: freshPhone(), name: 'Elin', email: 'elin@example.com', note: 'Regular' };
    const { id } = await company.post('/contacts', sent).gives(201);
    await company
      .patch(`/contacts/${id}`, { company_name: 'Elin & Co' })
      .gives(200, { ...sent, company_name: 'Elin & Co' });
  }),

  must(42, 'A change of a contact without a field changes nothing.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Frode' }).gives(201);
    const { updated_at: _, ...kept } = made;
    await company.patch(`/contacts/${made.id}`, {}).gives(200, kept);
  }),

  must(43, 'A change of a contact moves `updated_at` and leaves `created_at`.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/contacts', { phone: freshPhone() }).gives(201);
    const changed = await company
      .patch(`/contacts/${made.id}`, { note: 'Later' })
      .gives(200, { created_at: made.created_at });
    expectThat(
      Date.parse(changed.updated_at) > Date.parse(made.updated_at),
      `updated_at is ${changed.updated_at} after a change, and was ${made.updated_at} before it`,
    );
  }),

  must(44, 'A changed phone number is normalised, and formatted anew.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
    const phone = freshPhone();
    const changed = await company
      .patch(`/contacts/${id}`, { phone: `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}` })
      .gives(200, { phone });
    expect(changed.phone_formatted.replaceAll(' ', ''), phone, '`phone_formatted` without its spaces');
  }),

  must(45, 'A contact cannot be given the number of another one.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const [phone, other] = [freshPhone(), freshPhone()];
    await company.post('/contacts', { phone }).gives(201);
    const { id } = await company.post('/contacts', { phone: other }).gives(201);
    await company.patch(`/contacts/${id}`, { phone }).isRefused(422, { field: 'phone' });
    await company.get(`/contacts/${id}`).gives(200, { phone: other });
  }),

  must(46, 'A contact may be changed to the number that it has.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    await company.patch(`/contacts/${id}`, { phone, name: 'Gerda' }).gives(200, { phone, name: 'Gerda' });
  }),

  must(47, 'A number that a contact no longer has is free.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    await company.patch(`/contacts/${id}`, { phone: freshPhone() }).gives(200);
    await company.post('/contacts', { phone }).gives(201, { phone });
  }),

  must(48, 'A change with one wrong field changes no other field.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Hans' }).gives(201);
    await company
      .patch(`/contacts/${made.id}`, { name: 'Johannes', email: 'nobody' })
      .isRefused(422, { field: 'email' });
    await company.get(`/contacts/${made.id}`).gives(200, exactly(made));
  }),

  must(49, 'A change of a contact ignores unknown and read-only fields.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id, phone, created_at } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
    const change = { id: 'con_other', created_at: '2001-01-01T00:00:00.000Z', colour: 'green', name: 'Ida' };
    await company.patch(`/contacts/${id}`, change).gives(200, { id, phone, created_at, name: 'Ida' });
  }),

  must(50, 'A deleted contact is answered with 204 and is gone.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    await company.delete(`/contacts/${id}`).givesNothing();
    await company.get(`/contacts/${id}`).isNotFound();
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, []);
    await company.patch(`/contacts/${id}`, { name: 'Jens' }).isNotFound();
    await company.delete(`/contacts/${id}`).isNotFound();
  }),

  must(51, 'The number of a deleted contact can be used again, by a new contact.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const first = await company.post('/contacts', { phone, name: 'Karl' }).gives(201);
    await company.delete(`/contacts/${first.id}`).givesNothing();
    const second = await company.post('/contacts', { phone }).gives(201);
    expectThat(second.id !== first.id, 'the new contact has the id of the deleted one');
    expectThat(second.name !== 'Karl', 'the new contact has the name of the deleted one');
  }),

  must(
    52,
    'The employees of a company share its contacts.',
    { source: 'people.md: Roles', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.shared();
      const member = await company.hire({ role: 'member' });
      const { id } = await member.post('/contacts', { phone: freshPhone(), name: 'Lone' }).gives(201);
      await company.get(`/contacts/${id}`).gives(200, { name: 'Lone' });
      await company.patch(`/contacts/${id}`, { name: 'Lona' }).gives(200);
      await member.get(`/contacts/${id}`).gives(200, { name: 'Lona' });
      await member.delete(`/contacts/${id}`).givesNothing();
    },
  ),
];
