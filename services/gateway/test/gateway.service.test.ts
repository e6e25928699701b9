import { Agent, get, type IncomingMessage } from 'node:http';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterEach, describe, expect, it } from '@jest/globals';
import { notFound, Refused } from '@parley/errors';
import { Unavailable } from '@parley/rpc';
import { waitUntil } from '@parley/testkit';
import { ane, ANES_KEY, OPERATOR_TOKEN, startGateway, type TestGateway } from './start-gateway.ts';

const CREATED = timestampFromDate(new Date('2030-01-02T03:04:05Z'));
const contact = (id: string) => ({
  id,
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  createdAt: CREATED,
  updatedAt: CREATED,
});

let gateway: TestGateway | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

async function call(path: string, headers: Record<string, string> = { 'X-Api-Key': ANES_KEY }) {
  const response = await fetch(`${gateway?.url}${path}`, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
}

describe('the gateway', () => {
  it('the gateway calls the service that owns the noun as the employee, and converts its message to JSON', async () => {
    const received: unknown[] = [];
    gateway = await startGateway({
      async getContact({ id }, { principal }) {
        received.push([id, principal]);
        if (id !== 'con_1') throw new Refused(notFound);
        return { contact: contact(id) };
      },
    });
    expect(await call('/api/v1/contacts/con_1')).toMatchObject({
      status: 200,
      body: { id: 'con_1', name: null, phone: '+4520304050', created_at: '2030-01-02T03:04:05.000Z' },
    });
    expect(received).toEqual([['con_1', expect.objectContaining({ kind: 'employee', ...ane })]]);
    expect(await call('/api/v1/contacts/con_2')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('the gateway streams a long list', async () => {
    gateway = await startGateway({
      async *listContacts() {
        for (let i = 0; i < 100; i++)
          yield { contacts: Array.from({ length: 50 }, (_, j) => contact(`con_${i}_${j}`)) };
      },
    });
    const { body } = await call('/api/v1/contacts');
    expect(body).toHaveLength(5_000);
  });

  it.each([
    [500, 'internal_error', () => new Error('mongodb://secret')],
    [503, 'unavailable', () => new Unavailable('mongodb://secret')],
  ])('the gateway answers %i %s without details of the failure', async (status, error, failure) => {
    gateway = await startGateway({ getContact: () => Promise.reject(failure()) });
    const failed = await call('/api/v1/contacts/con_1', { 'X-Api-Key': ANES_KEY, 'X-Request-Id': 'r-1' });
    expect(failed).toMatchObject({ status, body: { error, request_id: 'r-1' } });
    expect(failed.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  });

  it('the gateway verifies a bounded number of wrong keys of one address, and accepts a known one', async () => {
    gateway = await startGateway(
      { getContact: async ({ id }) => ({ contact: contact(id) }) },
      { AUTH_FAILURES_PER_SECOND: '0.001', AUTH_FAILURES_BURST: '5' },
    );
    expect((await call('/api/v1/contacts/con_1')).status).toBe(200);
    const statuses = [];
    for (let i = 0; i < 30; i++)
      statuses.push((await call('/api/v1/contacts/con_1', { 'X-Api-Key': `pk_${i}` })).status);
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(25).fill(429)]);
    expect(gateway.verified.filter((key) => key !== ANES_KEY)).toHaveLength(5);
    expect((await call('/api/v1/contacts/con_1')).status).toBe(200);
  });

  it('the gateway limits a credential where a limit is set', async () => {
    gateway = await startGateway(
      { getContact: async ({ id }) => ({ contact: contact(id) }) },
      { RATE_LIMIT_PER_SECOND: '0.001', RATE_LIMIT_BURST: '2' },
    );
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await call('/api/v1/contacts/con_1')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('the gateway opens the operator API to its token only, and only on its own port', async () => {
    gateway = await startGateway({});
    const path = '/operator/v1/dead_letters';
    const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
    expect((await fetch(`${gateway.operatorUrl}${path}`, withToken('wrong'))).status).toBe(401);
    expect((await fetch(`${gateway.operatorUrl}/operator/v1/nothing`, withToken(OPERATOR_TOKEN))).status).toBe(404);
    expect((await fetch(`${gateway.url}${path}`, withToken(OPERATOR_TOKEN))).status).toBe(404);
  });
});

describe('an operator token', () => {
  it('an operator token that is being replaced is valid beside the new one, and no longer when it has been taken out', async () => {
    const next = 'next-operator-token-of-this-test';
    gateway = await startGateway({}, { OPERATOR_TOKEN: `${next},${OPERATOR_TOKEN}` });
    const statusWith = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${gateway?.operatorUrl}/operator/v1/dead_letters`, { headers })).status;
    };
    const isValid = async (token: string) => (await statusWith(token)) !== 401;
    expect([await isValid(next), await isValid(OPERATOR_TOKEN)]).toEqual([true, true]);
    expect([await isValid(`${next},${OPERATOR_TOKEN}`), await isValid('')]).toEqual([false, false]);
    await gateway.stop();
    gateway = await startGateway({}, { OPERATOR_TOKEN: next });
    expect([await isValid(next), await isValid(OPERATOR_TOKEN)]).toEqual([true, false]);
  });
});

describe('a gateway that stops', () => {
  it('a gateway that stops is not ready at once, serves on while it drains, and fails no request of clients that keep connections', async () => {
    gateway = await startGateway({ getContact: async ({ id }) => ({ contact: contact(id) }) }, { DRAIN_SECS: '3' });
    const { url, healthUrl } = gateway;
    const ready = async () => (await fetch(`${healthUrl}/healthz/ready`)).status;
    expect(await ready()).toBe(200);
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const outcomes: (string | number)[] = [];
    const closed: unknown[] = [];
    let draining = false;
    /** A load balancer sends new requests elsewhere half a second after the gateway is not ready. */
    let taken = true;
    const clients = Array.from({ length: 4 }, async () => {
      while (taken) {
        const wasDraining = draining;
        const response = await request(`${url}/api/v1/contacts/con_1`, agent).catch((error: Error) => error.message);
        outcomes.push(typeof response === 'string' ? response : (response.statusCode ?? 0));
        if (wasDraining && typeof response !== 'string') closed.push(response.headers.connection);
      }
    });
    await waitUntil(() => outcomes.length > 50, { what: 'clients to be served' });
    const stopped = gateway.stopGateway();
    draining = true;
    expect(await ready()).toBe(503);
    const before = outcomes.length;
    await waitUntil(() => outcomes.length > before + 8, { what: 'clients to be served while it drains' });
    taken = false;
    await Promise.all(clients);
    await stopped;
    agent.destroy();
    expect(new Set(outcomes)).toEqual(new Set([200]));
    expect(closed.length).toBeGreaterThan(3);
    expect(new Set(closed)).toEqual(new Set(['close']));
  });
});

function request(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-Api-Key': ANES_KEY } }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response))
        .on('error', reject);
    }).on('error', reject);
  });
}
