import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

export function testWebhookRetries(stack: LocalStack): void {
  let company: Company;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
  });

  const received = async (name: string) => (await sandbox(stack.local, 'GET', `/hooks/${name}`)).body as any[];

  it('is tried again, with the same id, until the receiver is well', async () => {
    await sandbox(stack.local, 'PUT', '/hooks/ill', { responses: [500, 500, 200] });
    const url = `${stack.local.sandbox_url}/hooks/ill`;
    await company.call('POST', '/webhooks', { name: 'ill', url, events: ['contact.created'] });
    await company.call('POST', '/contacts', { phone: '+4520304051' });
    await waitUntil(async () => (await received('ill')).length === 1, { what: 'the first attempt' });
    await sandbox(stack.local, 'POST', '/clock/advance', { seconds: 6 });
    expect(await received('ill')).toHaveLength(2);
    await sandbox(stack.local, 'POST', '/clock/advance', { seconds: 340 });
    const attempts = await received('ill');
    expect(attempts.map(({ answered }) => answered)).toEqual([500, 500, 200]);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is not stuck in the future when the clock returns to real time', async () => {
    await sandbox(stack.local, 'PUT', '/hooks/later', { responses: [500, 200] });
    const url = `${stack.local.sandbox_url}/hooks/later`;
    await company.call('POST', '/webhooks', { name: 'later', url, events: ['contact.created'] });
    await sandbox(stack.local, 'POST', '/clock/advance', { seconds: 86_400 });
    await company.call('POST', '/contacts', { phone: '+4520304052' });
    await waitUntil(async () => (await received('later')).length === 1, { what: 'the first attempt' });
    expect((await sandbox(stack.local, 'DELETE', '/clock')).status).toBe(204);
    await waitUntil(async () => (await received('later')).length === 2, {
      what: 'the second attempt, five seconds later',
    });
  });
}
