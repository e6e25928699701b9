import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const CREATED = timestampFromDate(new Date('2030-01-02T03:04:05Z'));
const contact = (id: string) => ({
  id,
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  createdAt: CREATED,
  updatedAt: CREATED,
});
const contacts = {
  getContact: async ({ id }: { id: string }) => ({ contact: contact(id) }),
  async *listContacts() {
    yield { contacts: ['con_1', 'con_2', 'con_3'].map(contact) };
  },
};

const gateways: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});
async function start(settings: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startGateway(contacts, settings);
  gateways.push(gateway);
  return gateway;
}

async function post({ url }: TestGateway, body: unknown) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'X-Api-Key': ANES_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
const toolCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const getContact = toolCall('get_contact', { id: 'con_1' });

describe('the rate limit', () => {
  const limits = { RATE_LIMIT_PER_SECOND: '0.001', RATE_LIMIT_BURST: '3' };

  it('the rate limit of a credential is one for REST and tools', async () => {
    const gateway = await start(limits);
    const rest = () => fetch(`${gateway.url}/api/v1/contacts/con_1`, { headers: { 'X-Api-Key': ANES_KEY } });
    expect([(await post(gateway, getContact)).status, (await rest()).status]).toEqual([200, 200]);
    expect((await post(gateway, getContact)).headers.get('ratelimit')).toBeTruthy();
    const [refused, onRest] = [await post(gateway, getContact), await rest()];
    expect([refused.status, refused.body]).toEqual([429, await onRest.json()]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('the rate limit counts each message of a batch, and a batch is bounded', async () => {
    const gateway = await start(limits);
    expect((await post(gateway, Array(51).fill(getContact))).status).toBe(400);
    const batch = [1, 2].map((id) => ({ ...getContact, id }));
    expect((await post(gateway, batch)).body).toHaveLength(2);
    expect((await post(gateway, batch)).status).toBe(429);
  });
});

it('a client can switch between gateways', async () => {
  const [first, second] = [await start(), await start()];
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  expect((await post(first, { jsonrpc: '2.0', id: 0, method: 'initialize', params })).status).toBe(200);
  const page = async (gateway: TestGateway, cursor?: string) =>
    (await post(gateway, toolCall('search_contacts', { limit: 2, cursor }))).body.result.structuredContent;
  const { contacts: found, next_cursor: next } = await page(second);
  const rest = await page(first, next);
  expect([...found, ...rest.contacts].map(({ id }) => id)).toEqual(['con_1', 'con_2', 'con_3']);
  expect(rest).not.toHaveProperty('next_cursor');
});
