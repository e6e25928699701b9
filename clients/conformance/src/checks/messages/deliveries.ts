import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { someText, text } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { sender, sentText, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const STATUS = { source: 'service-api.md: Message status', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;

export const deliveryChecks: readonly Check[] = [
  must(50, 'A report of the delivery makes a message delivered, with its time.', STATUS, async (context) => {
    const { report, becomes } = await sentText(await context.companies.shared(TEXTING), context.sandbox);
    await report('delivered');
    await becomes({ status: 'delivered', delivered_at: someText, failure_code: null, can_retry: false });
  }),

  must(
    51,
    'A report of a failure makes a message failed, with a code and the possibility to retry.',
    STATUS,
    async (context) => {
      const { report, becomes } = await sentText(await context.companies.shared(TEXTING), context.sandbox);
      await report('failed', '40008');
      await becomes({ status: 'failed', delivered_at: null, failure_code: 'telnyx_40008', can_retry: true });
    },
  ),

  must(52, 'A report that says nothing definite makes a message unknown.', DECIDED, async (context) => {
    const { report, becomes, retry } = await sentText(await context.companies.shared(TEXTING), context.sandbox);
    await report('delivery_unconfirmed');
    await becomes({ status: 'unknown', can_retry: false });
    await retry().isRefused(409);
    await report('delivered');
    await becomes({ status: 'delivered' });
  }),

  must(53, 'A delivered message stays delivered, whatever comes later.', DECIDED, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, customer, send, report, becomes } = await sentText(company, sandbox);
    await report('delivered');
    const delivered = await becomes({ status: 'delivered' });
    for (const status of ['failed', 'delivered', 'delivery_unconfirmed']) await report(status);
    // A later text of which the report has arrived.
    const later = await send().gives(201);
    const { provider_id } = (await sandbox.textsTo(customer)).at(-1)!;
    await sandbox.post(`/messages/${provider_id}/delivery_report`, { status: 'delivered' }).gives(200);
    await eventually('the later text is delivered', () =>
      company.get(`/messages/${later.id}`).gives(200, { status: 'delivered' }),
    );
    const { status, delivered_at } = delivered;
    await company.get(`/messages/${id}`).gives(200, { status, delivered_at, failure_code: null });
  }),

  must(
    60,
    'A text that the provider refuses is stored as failed, and can be retried.',
    { ...DECIDED, alone: true },
    async ({ companies, sandbox, faults }) => {
      const company = await companies.shared(TEXTING);
      const { send } = await sender(company);
      await faults.set({ sms_submit: 'reject', code: '40300' });
      const { message_id: id } = await send().isRefused(422, { error: 'provider_rejected' });
      await company.get(`/messages/${id}`).gives(200, { status: 'failed', can_retry: true, failure_code: text });
      await faults.set({ sms_submit: 'ok' });
      await company
        .post(`/messages/${id}/retries`, { idempotency_key: freshWord() })
        .gives(200, { status: 'accepted' });
      const { to } = await company.get(`/messages/${id}`).gives(200, { status: 'accepted' });
      expect(await sandbox.textsTo(to), [{ text: 'Your order is ready.' }], 'the texts to the customer');
    },
  ),

  must(
    61,
    'A text of which nobody knows whether it was sent is unknown until a report, and is not sent again.',
    { ...DECIDED, alone: true },
    async ({ companies, sandbox, faults }) => {
      const company = await companies.shared(TEXTING);
      const { customer, send } = await sender(company);
      await faults.set({ sms_submit: 'lost' });
      const key = { idempotency_key: freshWord() };
      const { message_id: id } = await send(key).isRefused(502, { error: 'provider_unavailable' });
      await company.get(`/messages/${id}`).gives(200, { status: 'unknown', can_retry: false });
      await faults.set({ sms_submit: 'ok' });
      await company.post(`/messages/${id}/retries`, { idempotency_key: freshWord() }).isRefused(409);
      const { body } = await send(key);
      expect([body.id, body.message_id].includes(id), true, 'whether the key leads to the same message');
      const texts = await sandbox.textsTo(customer);
      expect(texts.length, 1, 'the number of texts to the customer');
      await sandbox.post(`/messages/${texts[0]!.provider_id}/delivery_report`, { status: 'delivered' }).gives(200);
      await eventually('the message is delivered', () =>
        company.get(`/messages/${id}`).gives(200, { status: 'delivered' }),
      );
    },
  ),
];
