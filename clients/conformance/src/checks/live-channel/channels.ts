import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, someText } from '../../expectations/shapes.ts';
import { openNumber } from '../../world/conversations.ts';
import { prepared } from '../../world/prepared.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { CALLS, live } from './live.ts';

const { must } = checksOf('live-channel');
const UPDATES = { source: 'service-api.md: Live update channel', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;

export const channelChecks: readonly Check[] = [
  must(20, 'A text that arrives is announced by its id and number, without its words.', UPDATES, async (context) => {
    const company = await context.companies.shared({ messaging: true });
    const { number } = await openNumber(company);
    await live(context, company, async (cable) => {
      const identifier = await cable.subscribes(CALLS);
      const from = freshPhone();
      await context.sandbox.text(from, number, 'A secret word');
      const { message } = await cable.gets({ identifier, message: { type: 'sms_update', phone_number: from } });
      expect(message, exactly({ type: 'sms_update', id: someText, phone_number: from }), 'the message');
      await company.get(`/messages/${message.id}`).gives(200, { from, text: 'A secret word' });
    });
  }),

  must(21, 'A text that is sent is announced, and again when its status changes.', DECIDED, async (context) => {
    const company = await context.companies.shared({ messaging: true });
    const { id: numberId } = await openNumber(company);
    await live(context, company, async (cable) => {
      const identifier = await cable.subscribes(CALLS);
      const to = freshPhone();
      const body = { to, text: 'On our way.', idempotency_key: freshWord() };
      const { id } = await company.post(`/business_numbers/${numberId}/messages`, body).gives(201);
      const update = { type: 'sms_update', id, phone_number: to };
      await cable.gets({ identifier, message: update });
      const before = cable.messages(identifier).filter((one) => one.id === id).length;
      const [sent] = await context.sandbox.textsTo(to);
      await prepared(
        context.sandbox.post(`/messages/${sent!.provider_id}/delivery_report`, { status: 'delivered' }),
        200,
      );
      await eventually('one more update', async () => {
        const count = cable.messages(identifier).filter((one) => one.id === id).length;
        expectThat(count > before, `there are ${count} updates, as before`);
      });
      await company.get(`/messages/${id}`).gives(200, { status: 'delivered' });
    });
  }),

  must(22, 'A thread that is marked as seen is announced, without saying which.', UPDATES, async (context) => {
    const company = await context.companies.shared({ messaging: true });
    const { number } = await openNumber(company);
    const from = freshPhone();
    await context.sandbox.text(from, number, 'Hello');
    const path = `/inbox/${encodeURIComponent(from)}`;
    const { observed_at: through } = await eventually('the thread', async () => {
      const body = await company.get(`${path}/activity`).gives(200);
      expectThat(body.items.length === 1, 'the text is not there');
      return body;
    });
    await live(context, company, async (cable) => {
      const identifier = await cable.subscribes(CALLS);
      await company.post(`${path}/seen`, { through }).givesNothing();
      const { message } = await cable.gets({ identifier, message: { type: 'unseen_update' } });
      expect(message, exactly({ type: 'unseen_update' }), 'the message');
    });
  }),

  must(23, "Another company's texts are not announced.", UPDATES, async (context) => {
    const [company, another] = [
      await context.companies.shared({ messaging: true }),
      await context.companies.another({ messaging: true }),
    ];
    const [own, foreign] = [await openNumber(company), await openNumber(another)];
    await live(context, another, async (theirs) => {
      const their = await theirs.subscribes(CALLS);
      await live(context, company, async (cable) => {
        const identifier = await cable.subscribes(CALLS);
        const [stranger, from] = [freshPhone(), freshPhone()];
        await context.sandbox.text(stranger, foreign.number, 'Not yours');
        await theirs.gets({ identifier: their, message: { phone_number: stranger } });
        await context.sandbox.text(from, own.number, 'Yours');
        await cable.gets({ identifier, message: { phone_number: from } });
        const numbers = cable.messages(identifier).map(({ phone_number: number }) => number);
        expectThat(!numbers.includes(stranger), 'a foreign text was announced');
      });
    });
  }),
];
