import { expect } from '../../expectations/expect.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { sender, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const retry = () => ({ idempotency_key: freshWord() });

export const accessChecks: readonly Check[] = [
  must(90, 'Without texting nothing is sent, read or retried.', ENDPOINTS, async ({ companies, operator, sandbox }) => {
    const company = await companies.fresh(TEXTING);
    const { customer, send } = await sender(company);
    const { id } = await send().gives(201);
    await operator.patch(`/companies/${company.id}`, { messaging_enabled: false }).gives(200);
    await send().isRefused(404);
    await company.get(`/messages/${id}`).isRefused(404);
    await company.post(`/messages/${id}/retries`, retry()).isRefused(404);
    expect((await sandbox.textsTo(customer)).length, 1, 'the number of texts to the customer');
    await operator.patch(`/companies/${company.id}`, { messaging_enabled: true }).gives(200);
    await company.get(`/messages/${id}`).gives(200, { id });
  }),

  must(91, 'An unknown message is answered with 404.', { ...STATUSES, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const path = `/messages/msg_${freshWord()}`;
    await company.get(path).isNotFound();
    await company.post(`${path}/retries`, retry()).isNotFound();
  }),

  must(92, "Another company's message can be neither read nor retried.", STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
    const { send } = await sender(company);
    const { id } = await send().gives(201);
    await company.get(`/messages/${id}`).gives(200);
    await another.get(`/messages/${id}`).isNotFound();
    await another.post(`/messages/${id}/retries`, retry()).isNotFound();
  }),

  must(93, "Nobody sends from an unknown or another company's number.", STATUSES, async ({ companies, sandbox }) => {
    const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
    const { path, customer } = await sender(company);
    const text = () => ({ to: customer, text: 'Hello.', ...retry() });
    await another.post(path, text()).isNotFound();
    await company.post(`/business_numbers/num_${freshWord()}/messages`, text()).isNotFound();
    expect(await sandbox.textsTo(customer), [], 'the texts to the customer');
  }),

  must(
    94,
    'Messages need a credential.',
    { ...STATUSES, source: 'service-api.md: API keys' },
    async ({ companies }) => {
      const company = await companies.shared(TEXTING);
      const { path, customer, send } = await sender(company);
      const { id } = await send().gives(201);
      const nobody = company.withHeaders({});
      await nobody.get(`/messages/${id}`).isRefused(401);
      await nobody.post(path, { to: customer, text: 'Hello.', ...retry() }).isRefused(401);
      await nobody.post(`/messages/${id}/retries`, retry()).isRefused(401);
    },
  ),
];
