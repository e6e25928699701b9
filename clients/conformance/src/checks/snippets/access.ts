import { expect } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { textingCompany } from './snippet.ts';

const { must } = checksOf('snippets');
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const TEXTING = { messaging: true };
const SNIPPET = { title: 'Hours', text: 'We are open from 9 to 5.' };

export const accessChecks: readonly Check[] = [
  must(40, 'Without texting there is nothing below /text_snippets.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared({ messaging: false });
    await company.get('/text_snippets').isRefused(404);
    await company.post('/text_snippets', SNIPPET).isRefused(404);
    const path = `/text_snippets/snp_${freshWord()}`;
    await company.get(path).isRefused(404);
    await company.patch(path, SNIPPET).isRefused(404);
    await company.delete(path).isRefused(404);
  }),

  must(41, 'Snippets are kept while texting is switched off.', ENDPOINTS, async ({ companies, operator }) => {
    const company = await companies.fresh(TEXTING);
    const made = await company.post('/text_snippets', SNIPPET).gives(201);
    await operator.patch(`/companies/${company.id}`, { messaging_enabled: false }).gives(200);
    await company.get(`/text_snippets/${made.id}`).isRefused(404);
    await operator.patch(`/companies/${company.id}`, { messaging_enabled: true }).gives(200);
    await company.get(`/text_snippets/${made.id}`).gives(200, exactly(made));
  }),

  must(42, 'An unknown snippet is answered with 404.', { ...STATUSES, profile: 'api' }, async (context) => {
    const company = await textingCompany(context);
    const path = `/text_snippets/snp_${freshWord()}`;
    await company.get(path).isNotFound();
    await company.patch(path, { title: 'Title' }).isNotFound();
    await company.delete(path).isNotFound();
  }),

  must(
    43,
    "Another company's snippet can be neither read nor changed nor deleted.",
    STATUSES,
    async ({ companies }) => {
      const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
      const made = await company.post('/text_snippets', SNIPPET).gives(201);
      const path = `/text_snippets/${made.id}`;
      await company.get(path).gives(200);
      await another.get(path).isNotFound();
      await another.patch(path, { title: 'Mine' }).isNotFound();
      await another.delete(path).isNotFound();
      await company.get(path).gives(200, exactly(made));
    },
  ),

  must(44, "Another company's snippets are not in the list.", STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
    const { id } = await company.post('/text_snippets', SNIPPET).gives(201);
    const listed = await another.get('/text_snippets').gives(200);
    expect(
      listed.some((one: { id: string }) => one.id === id),
      false,
      'whether a foreign snippet is listed',
    );
  }),

  must(
    45,
    'The employees of a company share its snippets.',
    { source: 'service-api.md: Text snippet', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.shared(TEXTING);
      const member = await company.hire({ role: 'member' });
      const { id } = await member.post('/text_snippets', SNIPPET).gives(201);
      await company.patch(`/text_snippets/${id}`, { title: 'New hours' }).gives(200);
      await member.get(`/text_snippets/${id}`).gives(200, { title: 'New hours' });
      await member.delete(`/text_snippets/${id}`).givesNothing();
    },
  ),

  must(46, 'Snippets need a credential.', { source: 'service-api.md: API keys', profile: 'api' }, async (context) => {
    const company = await textingCompany(context);
    const { id } = await company.post('/text_snippets', SNIPPET).gives(201);
    const nobody = company.withHeaders({});
    for (const [method, path] of [
      ['GET', '/text_snippets'],
      ['POST', '/text_snippets'],
      ['GET', `/text_snippets/${id}`],
      ['PATCH', `/text_snippets/${id}`],
      ['DELETE', `/text_snippets/${id}`],
    ] as const)
      await nobody.send(method, path).isRefused(401);
    await company.get(`/text_snippets/${id}`).gives(200);
  }),
];
