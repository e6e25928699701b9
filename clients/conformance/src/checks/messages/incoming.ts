import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { Failure } from '../../expectations/failure.ts';
import { someText } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import { prepared } from '../../world/prepared.ts';
import { freshBusinessNumber, freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { MESSAGE, sender, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const FIELDS = { source: 'service-api.md: Message (SMS text)', profile: 'full' } as const;
const CALLBACKS = { source: 'service-api.md: Inbound provider callbacks', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;

const activityOf = (company: Company, customer: string) =>
  company.get(`/inbox/${encodeURIComponent(customer)}/activity`);

/** Waits until a customer's texts are there; oldest first. */
async function textsOf(company: Company, customer: string, count: number): Promise<any[]> {
  return await eventually(`${count} texts of the customer are there`, async () => {
    const { items } = await activityOf(company, customer).gives(200);
    if (items.length < count) throw new Failure(`there are ${items.length}`);
    return items.toReversed();
  });
}

export const incomingChecks: readonly Check[] = [
  must(70, 'A text of a customer becomes a message that nobody has seen.', FIELDS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number, name } = await sender(company);
    const customer = freshPhone();
    await sandbox.text(customer, number, 'Is it ready? 🙂');
    const [item] = await textsOf(company, customer, 1);
    await company.get(`/messages/${item.id}`).gives(200, {
      ...MESSAGE,
      business_number_id: id,
      business_number_name: name,
      seen_at: null,
      direction: 'inbound',
      from: customer,
      to: number,
      text: 'Is it ready? 🙂',
      author: { type: 'customer' },
      status: 'received',
      received_at: someText,
      delivered_at: null,
      can_retry: false,
    });
  }),

  must(
    71,
    'An incoming message is not retried.',
    { ...FIELDS, source: 'service-api.md: Message status' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { number } = await sender(company);
      const customer = freshPhone();
      await context.sandbox.text(customer, number, 'Hello.');
      const [{ id }] = (await textsOf(company, customer, 1)) as [{ id: string }];
      await company.post(`/messages/${id}/retries`, { idempotency_key: freshWord() }).isRefused(409);
    },
  ),

  must(72, 'A callback that comes twice is one message.', CALLBACKS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { number } = await sender(company);
    const customer = freshPhone();
    const body = { from: customer, to: number, text: 'Once.' };
    const { provider_id } = await prepared(sandbox.post('/messages', body), 201);
    await sandbox.post('/messages', { ...body, provider_id }).gives(201, { callback_status: 200 });
    await sandbox.text(customer, number, 'Later.');
    const texts = (await textsOf(company, customer, 2)).map(({ text }) => text);
    expect(texts, ['Once.', 'Later.'], 'the texts of the customer');
  }),

  must(73, 'Two texts with the same words are two messages of the customer.', CALLBACKS, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { number } = await sender(company);
    const customer = freshPhone();
    for (let count = 0; count < 2; count++) await context.sandbox.text(customer, number, 'Hello?');
    expect((await textsOf(company, customer, 2)).length, 2, 'the number of texts of the customer');
  }),

  must(
    74,
    'A callback for an unknown or inactive number is refused, and nothing is stored.',
    CALLBACKS,
    async (context) => {
      const { companies, operator, sandbox } = context;
      const company = await companies.shared(TEXTING);
      const { id, number } = await sender(company);
      const customer = freshPhone();
      const text = (to: string) => sandbox.post('/messages', { from: customer, to, text: 'Hello.' });
      await text(freshBusinessNumber()).gives(201, { callback_status: 404 });
      await operator.patch(`/business_numbers/${id}`, { active: false }).gives(200);
      await eventually('the number is not active', () => text(number).gives(201, { callback_status: 404 }));
    },
  ),

  must(75, 'A callback that was signed more than five minutes ago is refused.', DECIDED, async (context) => {
    const { companies, clock, sandbox } = context;
    const { number } = await sender(await companies.shared(TEXTING));
    const now = (await clock.now()).getTime();
    const text = (agoSeconds: number) =>
      sandbox.post('/messages', {
        from: freshPhone(),
        to: number,
        text: 'Hello.',
        signed_at: new Date(now - agoSeconds * 1000).toISOString(),
      });
    await text(20 * 60).gives(201, { callback_status: 401 });
    await text(60).gives(201, { callback_status: 200 });
  }),

  must(76, 'A callback without a signature is refused.', DECIDED, async ({ http }) => {
    const body = { data: { event_type: 'message.received', payload: {} } };
    for (const path of ['messages', 'delivery_reports', 'sms', 'sms_statuses'])
      await http.post(`/webhooks/telnyx/${path}`, body).isRefused(401);
  }),

  must(
    77,
    'Texts that come while texting is switched off are there when it is on again.',
    CALLBACKS,
    async (context) => {
      const { companies, operator, sandbox } = context;
      const company = await companies.fresh(TEXTING);
      const { number } = await sender(company);
      const customer = freshPhone();
      await operator.patch(`/companies/${company.id}`, { messaging_enabled: false }).gives(200);
      await sandbox.text(customer, number, 'Are you there?');
      await operator.patch(`/companies/${company.id}`, { messaging_enabled: true }).gives(200);
      expect(await textsOf(company, customer, 1), [{ text: 'Are you there?' }], 'the texts of the customer');
    },
  ),
];
