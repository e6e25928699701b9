import { expect } from '../../expectations/expect.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must, should } = checksOf('contacts');
const FIELDS = { source: 'service-api.md: Contact', profile: 'api' } as const;
const ENDPOINTS = { source: 'service-api.md: Contacts', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;
const TOO_LONG = 'n'.repeat(10_001);

export const validationChecks: readonly Check[] = [
  must(60, 'A contact without a phone number is refused.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    for (const body of [{}, { name: 'Mads' }, { phone: null }, { phone: '' }, { phone: '   ' }])
      await company.post('/contacts', body).isRefused(422, { field: 'phone' });
  }),

  must(61, 'A phone number that is none is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    for (const phone of ['+45 CALL ME', '+4512', 'nobody', '+9990123456789', '+'])
      await company.post('/contacts', { phone }).isRefused(422, { field: 'phone' });
  }),

  must(62, 'A second contact with the same number is refused.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    await company.post('/contacts', { phone }).isRefused(422, { field: 'phone' });
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, [{ id }]);
  }),

  must(63, 'A number that a contact has is refused however it is written.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company.post('/contacts', { phone }).gives(201);
    const written = `${phone.slice(0, 3)} (${phone.slice(3, 5)}) ${phone.slice(5)}`;
    await company.post('/contacts', { phone: written }).isRefused(422, { field: 'phone' });
  }),

  must(64, 'Of many equal contacts that are made at once, one is.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const replies = await Promise.all(Array.from({ length: 10 }, () => company.post('/contacts', { phone })));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses, [201, ...Array.from({ length: 9 }, () => 422)], 'the statuses of ten requests at once');
  }),

  must(65, 'An e-mail address that is none is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    for (const email of ['nobody', '@example.com', 'nobody@', 'a b@example.com'])
      await company.post('/contacts', { phone: freshPhone(), email }).isRefused(422, { field: 'email' });
  }),

  must(66, 'A changed e-mail address that is none is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/contacts', { phone: freshPhone(), email: 'nina@example.com' }).gives(201);
    await company.patch(`/contacts/${id}`, { email: 'nobody' }).isRefused(422, { field: 'email' });
    await company.get(`/contacts/${id}`).gives(200, { email: 'nina@example.com' });
  }),

  must(67, 'A note of 10,001 characters is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company.post('/contacts', { phone, note: TOO_LONG }).isRefused(422, { field: 'note' });
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, []);
  }),

  must(68, 'A note that is changed to 10,001 characters is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/contacts', { phone: freshPhone(), note: 'Short' }).gives(201);
    await company.patch(`/contacts/${id}`, { note: TOO_LONG }).isRefused(422, { field: 'note' });
    await company.get(`/contacts/${id}`).gives(200, { note: 'Short' });
  }),

  should(69, 'The characters of a note are counted as people count them.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const note = '🙂'.repeat(10_000);
    await company.post('/contacts', { phone: freshPhone(), note }).gives(201, { note });
  }),

  must(70, 'A field of the wrong type is refused and named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const field of ['name', 'email', 'company_name', 'note'])
      for (const value of [{ text: 'Otto' }, ['Otto'], 17, true])
        await company.post('/contacts', { phone: freshPhone(), [field]: value }).isRefused(422, { field });
    for (const phone of [4_520_304_050, { $ne: null }, ['+4520304050'], true])
      await company.post('/contacts', { phone }).isRefused(422, { field: 'phone' });
  }),

  must(71, 'A change to a field of the wrong type is refused and named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/contacts', { phone: freshPhone(), name: 'Per' }).gives(201);
    for (const field of ['phone', 'name', 'email', 'company_name', 'note'])
      await company.patch(`/contacts/${id}`, { [field]: { text: 'Otto' } }).isRefused(422, { field });
    await company.get(`/contacts/${id}`).gives(200, { name: 'Per' });
  }),

  must(72, 'A contact that is changed to a number that is none is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    for (const wrong of [null, '', 'nobody', '+4512'])
      await company.patch(`/contacts/${id}`, { phone: wrong }).isRefused(422, { field: 'phone' });
    await company.get(`/contacts/${id}`).gives(200, { phone });
  }),

  must(73, 'All wrong fields of a contact are named at once.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const body = { phone: 'nobody', email: 'nobody', note: TOO_LONG };
    const { errors } = await company.post('/contacts', body).isRefused(422, { code: 'validation_failed' });
    expect(Object.keys(errors).sort(), ['email', 'note', 'phone'], 'the fields that `errors` names');
  }),

  must(74, 'A body that is no object is refused.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const body of [[], [{ phone: freshPhone() }]]) await company.post('/contacts', body).isRefused(422);
    await company
      .send('POST', '/contacts', { body: '{"phone":', headers: { 'Content-Type': 'application/json' } })
      .isRefused(400, {
        error: 'invalid_json',
      });
  }),
];
