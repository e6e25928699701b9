import { expect } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('contacts');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const ISOLATED = { source: 'service-api.md: What the service does', profile: 'full' } as const;

export const isolationChecks: readonly Check[] = [
  must(80, 'An unknown contact is answered with 404.', { ...STATUSES, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared();
    const id = `con_${freshWord()}`;
    await company.get(`/contacts/${id}`).isNotFound();
    await company.patch(`/contacts/${id}`, { name: 'Rasmus' }).isNotFound();
    await company.delete(`/contacts/${id}`).isNotFound();
  }),

  must(81, "Another company's contact cannot be read.", STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
    await company.get(`/contacts/${id}`).gives(200, { id });
    await another.get(`/contacts/${id}`).isNotFound();
  }),

  must(82, "Another company's contact can be neither changed nor deleted.", STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Sofie' }).gives(201);
    await another.patch(`/contacts/${made.id}`, { name: 'Mine' }).isNotFound();
    await another.delete(`/contacts/${made.id}`).isNotFound();
    await company.get(`/contacts/${made.id}`).gives(200, exactly(made));
  }),

  must(83, "Another company's contact is answered exactly as an unknown one.", ISOLATED, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
    const [foreign, unknown] = [
      await another.get(`/contacts/${id}`),
      await another.get(`/contacts/con_${freshWord()}`),
    ];
    expect([foreign.status, foreign.text], [unknown.status, unknown.text], 'the answer for a foreign contact');
  }),

  must(84, "Another company's contacts are not in the list, nor found by number.", ISOLATED, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone }).gives(201);
    const listed = await another.get('/contacts').gives(200);
    expect(
      listed.some((contact: { id: string }) => contact.id === id),
      false,
      'whether a foreign contact is listed',
    );
    await another.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, []);
  }),

  must(
    85,
    'Two companies may have contacts with the same number.',
    { ...ISOLATED, source: 'service-api.md: Contact' },
    async ({ companies }) => {
      const [company, another] = [await companies.shared(), await companies.another()];
      const phone = freshPhone();
      const first = await company.post('/contacts', { phone, name: 'Tine' }).gives(201);
      const second = await another.post('/contacts', { phone, name: 'Ulla' }).gives(201);
      await another.delete(`/contacts/${second.id}`).givesNothing();
      await company.get(`/contacts/${first.id}`).gives(200, { phone, name: 'Tine' });
    },
  ),

  must(
    86,
    'Contacts need a credential.',
    { source: 'service-api.md: API keys', profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { id } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
      const nobody = company.withHeaders({});
      for (const [method, path] of [
        ['GET', '/contacts'],
        ['POST', '/contacts'],
        ['GET', `/contacts/${id}`],
        ['PATCH', `/contacts/${id}`],
        ['DELETE', `/contacts/${id}`],
      ] as const)
        await nobody.send(method, path).isRefused(401);
      await company.get(`/contacts/${id}`).gives(200);
    },
  ),
];
