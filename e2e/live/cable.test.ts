import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { adapters, createConsumer } from '@rails/actioncable';
import WebSocket from 'ws';
import { newTokens, registerApp, tokenRequest } from '../identity/app.ts';
import { newPerson, signIn } from '../identity/people.ts';
import { type Company, createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { cableUrlOf, connectLive } from './connect-live.ts';

/** After a revocation; without its event a connection would end at its next check, half a minute later at most. */
const CUT_WITHIN_MS = 15_000;
const stack = sharedStack();
const cableUrl = cableUrlOf(stack);
const open: { close(): void }[] = [];
let company: Company;

beforeAll(async () => {
  company = await createTestCompany();
});
afterEach(() => open.splice(0).forEach((one) => one.close()));

function connect(headers: Record<string, string>, query = '') {
  const client = connectLive(stack, headers, query);
  open.push(client.socket);
  return client;
}
const identifier = JSON.stringify({ channel: 'CallsChannel' });

describe('the live channel', () => {
  it('the live channel works with the stock client, which confirms its subscription', async () => {
    adapters.WebSocket = class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers: { 'X-Api-Key': company.apiKey } });
      }
    } as unknown as typeof globalThis.WebSocket;
    // The browser API that the client uses.
    Object.assign(globalThis, {
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      document: { visibilityState: 'visible' },
    });
    const consumer = createConsumer(cableUrl);
    let connected = 0;
    consumer.subscriptions.create('CallsChannel', { connected: () => (connected += 1) });
    open.push({ close: () => consumer.disconnect() });
    await waitUntil(async () => connected === 1, { what: 'the subscription' });
  });

  it('the live channel welcomes, confirms the one channel, rejects others, and pings', async () => {
    const client = connect({ 'X-Api-Key': company.apiKey });
    await client.next(1);
    client.socket.send(JSON.stringify({ command: 'subscribe', identifier }));
    client.socket.send(JSON.stringify({ command: 'subscribe', identifier: '{"channel":"OtherChannel"}' }));
    await client.next(3);
    expect(client.socket.protocol).toBe('actioncable-v1-json');
    expect(client.received()).toEqual([
      { type: 'welcome' },
      { type: 'confirm_subscription', identifier },
      { type: 'reject_subscription', identifier: '{"channel":"OtherChannel"}' },
    ]);
    await waitUntil(async () => client.pings() > 0, { what: 'a ping' });
  });

  it.each([
    ['nothing', {}, ''],
    ['a wrong key', { 'X-Api-Key': 'pk_wrong' }, ''],
    ['a wrong token', {}, '?token=at_wrong'],
    ['a cookie from another site', { Cookie: 'parley_session=ss_x', Origin: 'https://elsewhere.example' }, ''],
  ])('the live channel refuses a client with %s, without reconnect', async (_, headers, query) => {
    const client = connect(headers as Record<string, string>, query);
    await waitUntil(async () => client.closed(), { what: 'the end' });
    expect(client.received()).toEqual([{ type: 'disconnect', reason: 'unauthorized', reconnect: false }]);
  });

  it('the live channel ends a connection within seconds of its credential being revoked', async () => {
    const path = `/employees/${company.owner.id}/api_keys`;
    const { body: key } = await succeeded(operate(stack, 'POST', path, { name: 'Live' }));
    const client = connect({ 'X-Api-Key': key.api_key });
    await client.next(1);
    await succeeded(operate(stack, 'DELETE', `/api_keys/${key.id}`));
    await waitUntil(async () => client.closed(), { what: 'the end' });
    expect(client.received().at(-1)).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false });
  });

  it('the live channel ends a connection that does not use the protocol', async () => {
    const client = connect({ 'X-Api-Key': company.apiKey });
    await client.next(1);
    client.socket.send('no JSON');
    await waitUntil(async () => client.closed(), { what: 'the end' });
    expect(client.received().at(-1)).toMatchObject({ type: 'disconnect', reason: 'invalid_request' });
  });

  it('the live channel keeps a client whose commands come over time, and ends one that sends too many at once', async () => {
    const client = connect({ 'X-Api-Key': company.apiKey });
    const subscribe = (times: number) => {
      for (let n = 0; n < times; n++) client.socket.send(JSON.stringify({ command: 'subscribe', identifier }));
    };
    await client.next(1);
    subscribe(90);
    const before = client.pings();
    await waitUntil(async () => client.pings() > before + 1, { what: 'two pings' });
    subscribe(90);
    await waitUntil(async () => client.received().length === 181, { what: 'all confirmations' });
    // A hundred are allowed between two pings, one of which may be due during these.
    subscribe(201);
    await waitUntil(async () => client.closed(), { what: 'the end' });
    expect(client.received().at(-1)).toMatchObject({ type: 'disconnect', reason: 'invalid_request' });
  });

  it('the live channel opens for an access token, in a header or in the address, until it is revoked', async () => {
    const person = await newPerson();
    const app = await registerApp();
    const { access_token: token } = await newTokens(person, app);
    const clients = [connect({ Authorization: `Bearer ${token}` }), connect({}, `?token=${token}`)];
    for (const client of clients) expect((await client.next(1))[0]).toEqual({ type: 'welcome' });
    await tokenRequest({ token, client_id: app.clientId }, '/oauth/revoke');
    await waitUntil(async () => clients.every((client) => client.closed()), {
      what: 'the end',
      timeoutMs: CUT_WITHIN_MS,
    });
  });

  it('the live channel opens for signed-in employees on our own pages, until they sign out', async () => {
    const person = await newPerson();
    await signIn(person);
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const client = connect({ Cookie: cookie, Origin: stack.base_url });
    expect((await client.next(1))[0]).toEqual({ type: 'welcome' });
    const elsewhere = connect({ Cookie: cookie, Origin: 'https://elsewhere.example' });
    await waitUntil(async () => elsewhere.closed(), { what: 'the end' });
    await person.press(await person.open('/dashboard/inbox'), 'Sign out');
    await waitUntil(async () => client.closed(), { what: 'the end', timeoutMs: CUT_WITHIN_MS });
    expect(client.received().at(-1)).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false });
  });
});
