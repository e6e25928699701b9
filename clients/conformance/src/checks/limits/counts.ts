import { expect } from '../../expectations/expect.ts';
import { oneOf } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from '../employees/employee.ts';

const { must } = checksOf('limits');
const CAPS = { source: 'decisions.md: Limits and versions', profile: 'full' } as const;
const LIMITS = { source: 'service-api.md: Limits', profile: 'full' } as const;

const KEYS_MAX = 50;
const WEBHOOKS_MAX = 100;
const TEXTS_PER_MINUTE = 30;
const AT_ONCE = 10;

/** Does `work` so many times, some at once. */
async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  const waiting = Array.from({ length: count }).values();
  const lane = async () => {
    for (const _ of waiting) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

export const countChecks: readonly Check[] = [
  must(20, 'An employee has at most 50 API keys.', CAPS, async ({ companies, operator }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer()).gives(201);
    const make = () => operator.post(`/employees/${id}/api_keys`, { name: freshWord() });
    await times(KEYS_MAX - 1, () => make().gives(201));
    const last = await make().gives(201);
    await make().isRefused(422, { code: 'limit_reached' });
    await operator.delete(`/api_keys/${last.id}`).givesNothing();
    await make().gives(201);
  }),

  must(21, 'A company has at most 100 webhooks.', CAPS, async ({ companies }) => {
    const company = await companies.fresh();
    const make = () =>
      company.post('/webhooks', { name: freshWord(), url: 'https://hooks.example.com/', events: ['contact.created'] });
    await times(WEBHOOKS_MAX - 1, () => make().gives(201));
    const last = await make().gives(201);
    await make().isRefused(422, { code: 'limit_reached' });
    await company.delete(`/webhooks/${last.id}`).givesNothing();
    await make().gives(201);
  }),

  must(
    22,
    'A business number sends 30 texts in a rolling minute, retries included, and another one is not concerned.',
    { ...LIMITS, alone: true },
    async ({ companies, faults, clock }) => {
      const company = await companies.shared({ messaging: true });
      const [first, second] = [await company.number(), await company.number()];
      const send = (number: { id: string }) => sendText(company, number.id);
      const isFull = () => send(first).givesHeaders(429, { 'retry-after': '60' });
      const retry = (id: string) => company.post(`/messages/${id}/retries`, { idempotency_key: freshWord() });
      const half = TEXTS_PER_MINUTE / 2;
      await faults.set({ sms_submit: 'reject', code: '40300' });
      const { message_id: failed } = await send(first).isRefused(422, { code: 'provider_rejected' });
      await faults.set({ sms_submit: 'ok' });
      await times(half - 1, () => send(first).gives(201));
      await clock.advance(35);
      await times(half, () => send(first).gives(201));
      await isFull();
      await retry(failed).givesHeaders(429, { 'retry-after': '60' });
      await send(second).gives(201);
      // The first half is a minute ago, the second is not.
      await clock.advance(26);
      await retry(failed).gives(200, { id: failed });
      await times(half - 1, () => send(first).gives(201));
      await isFull();
    },
  ),

  must(23, 'Of texts that are sent at the same time, 30 are sent.', LIMITS, async ({ companies, sandbox }) => {
    const company = await companies.shared({ messaging: true });
    const [{ id }, to] = [await company.number(), freshPhone()];
    const replies = await Promise.all(Array.from({ length: TEXTS_PER_MINUTE + 10 }, () => sendText(company, id, to)));
    for (const { status } of replies) expect(status, oneOf(201, 429), 'the status of an answer');
    expect(replies.filter(({ status }) => status === 201).length, TEXTS_PER_MINUTE, 'the number of texts accepted');
    expect((await sandbox.textsTo(to)).length, TEXTS_PER_MINUTE, 'the number of texts that the provider got');
  }),
];

function sendText(company: Company, numberId: string, to = freshPhone()) {
  return company.post(`/business_numbers/${numberId}/messages`, { to, text: 'Hello', idempotency_key: freshWord() });
}
