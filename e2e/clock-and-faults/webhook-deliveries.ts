import { beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { advanceClock, type Company, createTestCompany, resetClock, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { type Hook, openHook } from '../webhooks/hooks.ts';

export function testWebhookDeliveries(stack: LocalStack): void {
  let company: Company;
  let hook: Hook;
  let id: string;

  beforeEach(async () => {
    company = await createTestCompany(stack.local);
    hook = openHook(company, stack.local);
    const { body } = await succeeded(
      company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['contact.created'] }),
    );
    id = body.id;
  });

  const createContact = () => succeeded(company.call('POST', '/contacts', { phone: '+4520304051', name: 'Ane' }));
  const log = async () => (await succeeded(company.call('GET', `/webhooks/${id}/deliveries`))).body;

  it('a delivery is tried again, with the same id, until the receiver is well', async () => {
    await hook.answer([500, 500, 200]);
    await createContact();
    await hook.has(1);
    await advanceClock(stack.local, 6);
    expect(await hook.arrived()).toHaveLength(2);
    await advanceClock(stack.local, 340);
    const attempts = await hook.arrived();
    expect(attempts.map(({ answered }) => answered)).toEqual([500, 500, 200]);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('a delivery is in the log with its attempts, their statuses and the receiver’s responses', async () => {
    await hook.answer([{ status: 503, body: 'later please' }, 200]);
    await createContact();
    const [delivery] = await waitUntil(
      async () => {
        const { deliveries } = await log();
        return deliveries[0]?.next_attempt_at && deliveries;
      },
      { what: 'a plan' },
    );
    expect(delivery).toEqual({
      id: (await hook.arrived())[0]!.headers['webhook-id'],
      event: 'contact.created',
      status: 'pending',
      created_at: expect.any(String),
      next_attempt_at: expect.any(String),
      attempts: [
        {
          at: expect.any(String),
          status_code: 503,
          error: 'the receiver answered 503',
          duration_ms: expect.any(Number),
          response_excerpt: 'later please',
        },
      ],
    });
    await advanceClock(stack.local, 6);
    const { deliveries, next_cursor } = await log();
    expect([deliveries[0].status, deliveries[0].next_attempt_at, next_cursor]).toEqual(['delivered', null, null]);
    expect(deliveries[0].attempts.map(({ status_code }: { status_code: number }) => status_code)).toEqual([503, 200]);
  });

  it('a delivery gets nothing more once it is deleted, not even what was scheduled', async () => {
    await hook.answer([500]);
    await createContact();
    await hook.has(1);
    const gone = await company.call('DELETE', `/webhooks/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    await advanceClock(stack.local, 3600);
    expect(await hook.arrived()).toHaveLength(1);
    expect((await company.call('DELETE', `/webhooks/${id}`)).status).toBe(404);
  });

  it('a delivery is not stuck in the future when the clock returns to real time', async () => {
    await hook.answer([500, 200]);
    await advanceClock(stack.local, 86_400);
    await createContact();
    await hook.has(1);
    await resetClock(stack.local);
    await waitUntil(async () => (await hook.arrived()).length === 2, {
      what: 'the second attempt, five seconds later',
    });
  });
}
