import { expect } from '../../expectations/expect.ts';
import { exactly, nullable, someText, text } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { sentText, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const STATUS = { source: 'service-api.md: Message status', profile: 'full' } as const;

const RETRIED = { id: someText, type: 'message', format: 'sms', status: 'accepted', can_retry: false };

export const retryChecks: readonly Check[] = [
  must(54, 'A failed message can be retried: the same message, sent once more.', STATUS, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { id, customer, report, becomes, retry } = await sentText(company, context.sandbox);
    await report('failed', '40008');
    await becomes({ status: 'failed' });
    await retry().gives(200, { ...RETRIED, id });
    expect((await context.sandbox.textsTo(customer)).length, 2, 'the number of texts to the customer');
    await company
      .get(`/messages/${id}`)
      .gives(200, { status: 'accepted', can_retry: false, failure_code: nullable(text) });
    await report('delivered');
    await becomes({ status: 'delivered' });
  }),

  must(
    55,
    'The answer to a retry has five fields.',
    { ...STATUS, source: 'service-api.md: Inbox and messages' },
    async (context) => {
      const { report, becomes, retry } = await sentText(await context.companies.shared(TEXTING), context.sandbox);
      await report('failed');
      await becomes({ status: 'failed' });
      await retry().gives(200, exactly(RETRIED));
    },
  ),

  must(
    56,
    'A retry with the same key is repeated, and sends nothing.',
    { ...STATUS, source: 'service-api.md: Inbox and messages' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { id, customer, report, becomes, retry } = await sentText(company, context.sandbox);
      await report('failed');
      await becomes({ status: 'failed' });
      const key = freshWord();
      await retry(key).gives(200, { id, status: 'accepted' });
      await retry(key).gives(200, { id });
      expect((await context.sandbox.textsTo(customer)).length, 2, 'the number of texts to the customer');
    },
  ),

  must(
    57,
    'A retry needs a key of 1 to 128 characters, in the body or the header.',
    { ...STATUS, source: 'service-api.md: Inbox and messages' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { id, report, becomes, retry } = await sentText(company, context.sandbox);
      await report('failed');
      await becomes({ status: 'failed' });
      await company.post(`/messages/${id}/retries`).isRefused(409);
      for (const key of ['', 'k'.repeat(129)]) await retry(key).isRefused(409);
      const headers = { 'Idempotency-Key': freshWord() };
      await company.post(`/messages/${id}/retries`, undefined, headers).gives(200, { id });
    },
  ),

  must(58, 'Messages that are accepted or delivered are not retried.', STATUS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { customer, report, becomes, retry } = await sentText(company, sandbox);
    await retry().isRefused(409);
    await report('delivered');
    await becomes({ status: 'delivered' });
    await retry().isRefused(409);
    expect((await sandbox.textsTo(customer)).length, 1, 'the number of texts to the customer');
  }),

  must(59, 'A failed message cannot be retried once its number cannot send.', STATUS, async (context) => {
    const { companies, operator, sandbox } = context;
    const company = await companies.shared(TEXTING);
    const { report, becomes, retry, customer } = await sentText(company, sandbox);
    await report('failed');
    const { business_number_id: id } = await becomes({ status: 'failed', can_retry: true });
    await operator.patch(`/business_numbers/${id}`, { sms: { can_send: false, can_receive: true } }).gives(200);
    await becomes({ status: 'failed', can_retry: false });
    const { status } = await retry();
    expect(status >= 400 && status < 500, true, `whether the retry was refused (${status})`);
    expect((await sandbox.textsTo(customer)).length, 1, 'the number of texts to the customer');
  }),
];
