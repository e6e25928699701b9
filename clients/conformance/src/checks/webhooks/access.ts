import { expect } from '../../expectations/expect.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { newWebhook } from './webhook.ts';

const { must } = checksOf('webhooks');
const FOREIGN = { source: 'service-api.md: What the service does', profile: 'full' } as const;
const ENDPOINTS = [
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', '/rotate_secret'],
  ['POST', '/test'],
  ['GET', '/deliveries'],
  ['POST', `/deliveries/dlv_00000000000000000000/retry`],
] as const;

export const accessChecks: readonly Check[] = [
  must(
    40,
    'An unknown webhook is answered with 404.',
    { source: 'decisions.md: Bodies and statuses', profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const path = `/webhooks/whk_${freshWord()}`;
      for (const [method, below] of ENDPOINTS)
        await company
          .send(method, path + below, { ...(method === 'PATCH' && { body: { name: 'Mine' } }) })
          .isNotFound();
    },
  ),

  must(41, "Another company's webhook behaves as one that is unknown.", FOREIGN, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { secret: _, ...made } = await company.post('/webhooks', newWebhook()).gives(201);
    const path = `/webhooks/${made.id}`;
    await company.get(path).gives(200);
    for (const [method, below] of ENDPOINTS)
      await another.send(method, path + below, { ...(method === 'PATCH' && { body: { name: 'Mine' } }) }).isNotFound();
    await company.get(path).gives(200, made);
  }),

  must(42, "Another company's webhooks are not in the list.", FOREIGN, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.post('/webhooks', newWebhook()).gives(201);
    const listed = await another.get('/webhooks').gives(200);
    expect(
      listed.some((one: { id: string }) => one.id === id),
      false,
      'whether a foreign webhook is listed',
    );
  }),

  must(
    43,
    'A member can neither read nor change webhooks.',
    { source: 'people.md: Roles', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.shared();
      const [member, admin] = [await company.hire({ role: 'member' }), await company.hire({ role: 'admin' })];
      const { id } = await admin.post('/webhooks', newWebhook()).gives(201);
      await member.get('/webhooks').isRefused(403, { code: 'forbidden' });
      await member.post('/webhooks', newWebhook()).isRefused(403, { code: 'forbidden' });
      // The role is looked at before the object.
      for (const path of [`/webhooks/${id}`, `/webhooks/whk_${freshWord()}`])
        for (const [method, below] of ENDPOINTS)
          await member.send(method, path + below).isRefused(403, { code: 'forbidden' });
      await admin.get(`/webhooks/${id}`).gives(200);
    },
  ),

  must(44, 'Webhooks need a credential.', { source: 'service-api.md: API keys', profile: 'api' }, async (context) => {
    const company = await context.companies.shared();
    const { id } = await company.post('/webhooks', newWebhook()).gives(201);
    const nobody = company.withHeaders({});
    await nobody.get('/webhooks').isRefused(401);
    await nobody.post('/webhooks', newWebhook()).isRefused(401);
    for (const [method, below] of ENDPOINTS) await nobody.send(method, `/webhooks/${id}${below}`).isRefused(401);
    await company.get(`/webhooks/${id}`).gives(200);
  }),

  must(
    45,
    'A method that webhooks do not have is refused with those that they have.',
    { source: 'decisions.md: Bodies and statuses', profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const reply = await company.put('/webhooks', newWebhook()).givesHeaders(405, { allow: /GET/ });
      expect(/POST/.test(reply.headers.get('allow') ?? ''), true, 'whether POST is allowed');
    },
  ),
];
