import { beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const stack = sharedStack();
let company: Company;

beforeAll(async () => {
  company = await createTestCompany();
});

async function subscribe(name: string, events: string[]) {
  const url = `${stack.sandbox_url}/hooks/${name}`;
  return (await succeeded(company.call('POST', '/webhooks', { name, url, events }))).body;
}

const received = async (name: string) => (await sandbox(stack, 'GET', `/hooks/${name}`)).body as any[];

describe('a webhook', () => {
  it('a webhook gets every change of a contact in order, signed, with the contact as it was at each moment', async () => {
    const hook = `lifecycle-${company.id}`;
    const { secret } = await subscribe(hook, ['contact.created', 'contact.updated', 'contact.deleted']);
    const { body: created } = await company.call('POST', '/contacts', { phone: '+4520304050', name: 'Ane' });
    const { body: updated } = await company.call('PATCH', `/contacts/${created.id}`, { name: 'Anne' });
    await company.call('DELETE', `/contacts/${created.id}`);

    const deliveries = await waitUntil(
      async () => {
        const now = await received(hook);
        return now.length >= 3 && now;
      },
      { what: 'three deliveries' },
    );
    expect(deliveries.map(({ body }) => [body.event, body.data.contact])).toEqual([
      ['contact.created', created],
      ['contact.updated', updated],
      ['contact.deleted', updated],
    ]);
    for (const { headers, raw_body } of deliveries) {
      expect(() => new Webhook(secret).verify(raw_body, headers)).not.toThrow();
      expect(headers['user-agent']).toMatch(/^\w+-Webhooks\/1\.0$/);
    }
  });
});
