import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { freshPhone } from '../../world/random.ts';
import { prepared } from '../../world/prepared.ts';
import { type Check, checksOf } from '../check.ts';
import { REPLY, replyingNumber, sentTexts } from './number.ts';

const { must } = checksOf('texting');
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const TEXTING = { messaging: true };

/** That no reply came is known once a later text of somebody else was answered, at a number that replies. */
export const autoReplyChecks: readonly Check[] = [
  must(30, 'A text outside business hours is answered by the number that it was sent to.', ROUTING, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { id, number } = await replyingNumber(company);
    const customer = freshPhone();
    await context.sandbox.text(customer, number, 'Are you there?');
    expect(await sentTexts(context.sandbox, number, customer, 1), [REPLY], 'the texts to the customer');
    const path = `/inbox/${encodeURIComponent(customer)}/activity?business_number_id=${id}`;
    const author = { type: 'automation', name: 'Auto-reply' };
    await eventually('the reply is in the history', () =>
      company.get(path).gives(200, {
        items: [
          { direction: 'outbound', text: REPLY, author, from: number, to: customer },
          { direction: 'inbound', text: 'Are you there?', author: { type: 'customer' } },
        ],
      }),
    );
  }),

  must(31, 'A text during business hours is not answered.', ROUTING, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const open = await replyingNumber(company, { isOpen: true });
    const closed = await replyingNumber(company);
    const [customer, other] = [freshPhone(), freshPhone()];
    await sandbox.text(customer, open.number, 'Hello?');
    await sandbox.text(other, closed.number, 'Hello?');
    await sentTexts(sandbox, closed.number, other, 1);
    expect(await sandbox.textsTo(customer), [], 'the texts to who texted during business hours');
  }),

  must(32, 'A number whose auto-reply is off, or that cannot send, does not answer.', ROUTING, async (context) => {
    const { companies, operator, sandbox } = context;
    const company = await companies.shared(TEXTING);
    const [off, mute, closed] = [
      await replyingNumber(company),
      await replyingNumber(company),
      await replyingNumber(company),
    ];
    await off.patch({ auto_reply_enabled: false }).gives(200);
    await operator.patch(`/business_numbers/${mute.id}`, { sms: { can_send: false, can_receive: true } }).gives(200);
    const [customer, other] = [freshPhone(), freshPhone()];
    await sandbox.text(customer, off.number, 'Hello?');
    await sandbox.text(customer, mute.number, 'Hello?');
    await sandbox.text(other, closed.number, 'Hello?');
    await sentTexts(sandbox, closed.number, other, 1);
    expect(await sandbox.textsTo(customer), [], 'the texts to the customer');
  }),

  must(33, 'A callback that comes twice is answered once.', ROUTING, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { number } = await replyingNumber(company);
    const [customer, other] = [freshPhone(), freshPhone()];
    const body = { from: customer, to: number, text: 'Hello?' };
    const { provider_id } = await prepared(sandbox.post('/messages', body), 201);
    await sentTexts(sandbox, number, customer, 1);
    await sandbox.post('/messages', { ...body, provider_id }).gives(201, { callback_status: 200 });
    await sandbox.text(other, number, 'Hello?');
    await sentTexts(sandbox, number, other, 1);
    expect(await sentTexts(sandbox, number, customer, 1), [REPLY], 'the texts to the customer');
  }),

  must(
    34,
    'The cooldown holds for each customer and business number, and ends.',
    { ...ROUTING, alone: true },
    async ({ companies, sandbox, clock }) => {
      const company = await companies.shared(TEXTING);
      const [first, second] = [await replyingNumber(company), await replyingNumber(company)];
      await first.patch({ auto_reply_cooldown_minutes: 60 }).gives(200);
      const [customer, other] = [freshPhone(), freshPhone()];
      await sandbox.text(customer, first.number, 'One');
      await sentTexts(sandbox, first.number, customer, 1);
      await clock.advance(59 * 60);
      await sandbox.text(customer, first.number, 'Two');
      await sandbox.text(customer, second.number, 'Three');
      await sandbox.text(other, first.number, 'Four');
      await sentTexts(sandbox, first.number, other, 1);
      await sentTexts(sandbox, second.number, customer, 1);
      expect(await sentTexts(sandbox, first.number, customer, 1), [REPLY], 'the texts within the cooldown');
      await clock.advance(2 * 60);
      await sandbox.text(customer, first.number, 'Five');
      expect(await sentTexts(sandbox, first.number, customer, 2), [REPLY, REPLY], 'the texts after the cooldown');
    },
  ),
];
