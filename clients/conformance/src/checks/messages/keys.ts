import { expect } from '../../expectations/expect.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { sender, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const SENDING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const LIMITS = { source: 'service-api.md: Limits', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;
const KEY_CHARACTERS_MAX = 128;

export const keyChecks: readonly Check[] = [
  must(30, 'A text without an idempotency key is refused with 409.', DECIDED, async ({ companies, sandbox }) => {
    const { customer, send } = await sender(await companies.shared(TEXTING));
    await send({ idempotency_key: undefined }).isRefused(409);
    expect(await sandbox.textsTo(customer), [], 'the texts to the customer');
  }),

  must(31, 'A key has 1 to 128 characters.', LIMITS, async ({ companies }) => {
    const { send } = await sender(await companies.shared(TEXTING));
    for (const key of ['', 'k'.repeat(KEY_CHARACTERS_MAX + 1)]) await send({ idempotency_key: key }).isRefused(409);
    const longest = freshWord().padEnd(KEY_CHARACTERS_MAX, 'k');
    await send({ idempotency_key: longest }).gives(201);
    await send({ idempotency_key: longest.slice(0, -1) }).gives(201);
  }),

  must(32, 'The key may also be in the header, and must then be that of the body.', DECIDED, async ({ companies }) => {
    const { send } = await sender(await companies.shared(TEXTING));
    const key = freshWord();
    const headers = { 'Idempotency-Key': key };
    const { id } = await send({ idempotency_key: undefined }, { headers }).gives(201);
    await send({ idempotency_key: key }, { headers }).gives(200, { id });
    await send({ idempotency_key: `${key}x` }, { headers }).isRefused(409);
  }),

  must(33, 'A repeated key is answered with 200 and the same message, and sends nothing.', DECIDED, async (context) => {
    const { customer, send } = await sender(await context.companies.shared(TEXTING));
    const key = { idempotency_key: freshWord() };
    const first = await send(key).givesHeaders(201, {});
    expect(
      first.headers.get('idempotent-replayed') === 'true',
      false,
      'whether the first answer is marked as repeated',
    );
    const again = await send(key).givesHeaders(200, { 'idempotent-replayed': 'true' });
    expect(again.body, { id: first.body.id, text: first.body.text, to: customer }, 'the repeated answer');
    expect((await context.sandbox.textsTo(customer)).length, 1, 'the number of texts to the customer');
  }),

  must(34, 'A key that was used with another recipient, text or employee is refused.', SENDING, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { customer, send } = await sender(company);
    const other = freshPhone();
    const key = { idempotency_key: freshWord() };
    await send(key).gives(201);
    await send({ ...key, to: other }).isRefused(409);
    await send({ ...key, text: 'Something else.' }).isRefused(409);
    const member = await company.hire({ role: 'member' });
    await send(key, { as: member }).isRefused(409);
    const sent = [...(await context.sandbox.textsTo(customer)), ...(await context.sandbox.textsTo(other))];
    expect(sent.length, 1, 'the number of texts to the customers');
  }),

  must(35, 'Keys belong to one business number.', SENDING, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const [first, second] = [await sender(company), await sender(company)];
    const key = { idempotency_key: freshWord() };
    const { id } = await first.send(key).gives(201);
    const other = await second.send(key).gives(201);
    expect(other.id === id, false, 'whether the text of the second number is that of the first');
  }),

  must(37, 'Of texts that are sent with one key at once, one is sent.', SENDING, async ({ companies, sandbox }) => {
    const { customer, send } = await sender(await companies.shared(TEXTING));
    const key = { idempotency_key: freshWord() };
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(key)));
    const ids = new Set(replies.filter(({ status }) => status < 300).map(({ body }) => body.id));
    expect(ids.size, 1, 'the number of different messages');
    expect(replies.filter(({ status }) => status === 201).length, 1, 'the number of answers with 201');
    expect((await sandbox.textsTo(customer)).length, 1, 'the number of texts to the customer');
  }),
];
