import { expect } from '../../expectations/expect.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('business-numbers');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const ISOLATED = { source: 'service-api.md: What the service does', profile: 'full' } as const;
const ROLES = { source: 'people.md: Roles', profile: 'full' } as const;

export const accessChecks: readonly Check[] = [
  must(
    60,
    'An unknown business number is answered with 404.',
    { ...STATUSES, profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const path = `/business_numbers/num_${freshWord()}`;
      await company.get(path).isNotFound();
      await company.patch(path, { name: 'Mine' }).isNotFound();
    },
  ),

  must(61, "Another company's business number can be neither read nor changed.", STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.number({ name: 'Ours' });
    const path = `/business_numbers/${id}`;
    await company.get(path).gives(200, { name: 'Ours' });
    await another.get(path).isNotFound();
    await another.patch(path, { name: 'Mine' }).isNotFound();
    await company.get(path).gives(200, { name: 'Ours' });
  }),

  must(62, "Another company's business numbers are not in the list.", ISOLATED, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.number();
    await company.get('/business_numbers').gives(200);
    const { main_numbers: listed } = await another.get('/business_numbers').gives(200);
    expect(
      listed.some((one: { id: string }) => one.id === id),
      false,
      'whether a foreign business number is listed',
    );
  }),

  must(
    63,
    'Business numbers need a credential.',
    { source: 'service-api.md: API keys', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { id } = await company.number();
      const nobody = company.withHeaders({});
      for (const [method, path] of [
        ['GET', '/business_numbers'],
        ['GET', `/business_numbers/${id}`],
        ['PATCH', `/business_numbers/${id}`],
      ] as const)
        await nobody.send(method, path).isRefused(401);
    },
  ),

  must(64, 'A member reads business numbers and changes none of them.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ name: 'Ours' });
    const path = `/business_numbers/${id}`;
    const member = await company.hire({ role: 'member' });
    await member.get(path).gives(200, { name: 'Ours' });
    await member.patch(path, { name: 'Mine' }).isRefused(403, { code: 'forbidden' });
    await company.get(path).gives(200, { name: 'Ours' });
  }),
];
