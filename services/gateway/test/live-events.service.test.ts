import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusal, Refused } from '@parley/errors';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { EventLogService } from '@parley/proto/webhooks/v1/event_log_pb';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import { fakeContract } from '@parley/testkit/service';
import type { EmployeePrincipal } from '@parley/rpc';
import WebSocket from 'ws';
import { ane, ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

/** A client that has not read by then is disconnected. */
const SLOW_AFTER_MS = 11_000;
const AT = '2030-01-02T03:04:05.000Z';

/** The logs of companies: bodies by position, which is the cursor too. */
const logs = new Map<string, object[]>();
let reads = 0;
const append = (companyId: string, ...events: object[]) =>
  logs.set(companyId, [...(logs.get(companyId) ?? []), ...events]);
const eventLog = fakeContract(EventLogService, {
  async listEvents({ after, limit, types, onlyPosition }, { principal }) {
    const { companyId } = principal as EmployeePrincipal;
    reads += 1;
    const log = logs.get(companyId) ?? [];
    if (onlyPosition) return { nextCursor: String(log.length) };
    if (after === 'damaged') throw new Refused(refusal('invalid_cursor', 'after is invalid'));
    if (after === 'expired') return { oldestCursor: '3' };
    const from = Number(after);
    const until = Math.min(log.length, from + limit);
    const events = log.slice(from, until).map((data, index) => {
      const event = types[0] ?? 'contact.created';
      const n = from + index + 1;
      return { id: `evt_${n}`, event, body: JSON.stringify({ event, timestamp: AT, data }), cursor: String(n) };
    });
    return { events, nextCursor: String(until), hasMore: until < log.length };
  },
});

let nats: OwnNats;
let gateway: TestGateway;
const open: WebSocket[] = [];
beforeAll(async () => {
  nats = await ownNats();
  gateway = await startGateway({}, {}, { webhooks: [eventLog] }, nats);
}, 60_000);
beforeEach(() => logs.clear());
afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
}, 60_000);

let keys = 0;
async function connect(principal: object = ane) {
  const key = `${ANES_KEY}_events_${(keys += 1)}`;
  gateway.credentials.set(key, { ...ane, ...principal });
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], {
    headers: { 'X-Api-Key': key },
  });
  open.push(socket);
  const received: any[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  socket.on('error', () => undefined);
  await waitUntil(() => received.some(({ type }) => type === 'welcome'), { what: 'the welcome' });
  const own = () => received.filter(({ type }) => type !== 'ping' && type !== 'welcome');
  return {
    key,
    socket,
    received: own,
    /** Messages of the channel. */
    messages: () => own().flatMap(({ message }) => message ?? []),
    cursors: () => own().flatMap(({ message }) => (message?.type === 'event' ? Number(message.cursor) : [])),
    has: (type: string) =>
      waitUntil(() => own().some((one) => one.type === type || one.message?.type === type), { what: type }),
    subscribe(wanted: object = {}) {
      const identifier = JSON.stringify({ channel: 'EventsChannel', ...wanted });
      socket.send(JSON.stringify({ command: 'subscribe', identifier }));
      return identifier;
    },
    send: (command: string, identifier: string) => socket.send(JSON.stringify({ command, identifier })),
    closed: () => socket.readyState === WebSocket.CLOSED,
  };
}

async function subscribe(wanted: object = {}, principal: object = ane) {
  const client = await connect(principal);
  const identifier = client.subscribe(wanted);
  await client.has('caught_up');
  return { ...client, identifier };
}

const announce = (companyId = 'com_1') => gateway.publishLive(companyId, { type: 'event_log_update' });

describe('the events channel', () => {
  it('the events channel sends what happens from now on, once it is confirmed', async () => {
    append('com_1', { n: 1 });
    const client = await subscribe();
    append('com_1', { n: 2 });
    announce();
    await client.has('event');
    const { identifier } = client;
    const event = { id: 'evt_2', event: 'contact.created', timestamp: AT, data: { n: 2 } };
    expect(client.received()).toEqual([
      { type: 'confirm_subscription', identifier },
      { identifier, message: { type: 'caught_up', cursor: '1' } },
      { identifier, message: { type: 'event', cursor: '2', event } },
    ]);
  });

  it('the events channel sends the past behind a cursor, of the types that are asked for, in pages', async () => {
    append('com_1', ...Array.from({ length: 250 }, (_, n) => ({ n })));
    const client = await subscribe({ after: '20', types: ['call.ended'] });
    expect(client.cursors()).toEqual(Array.from({ length: 230 }, (_, index) => 21 + index));
    expect(client.messages()[0]).toMatchObject({ event: { event: 'call.ended' } });
    expect(client.messages().at(-1)).toEqual({ type: 'caught_up', cursor: '250' });
  });

  it('the events channel reads once for all clients at the same place, and not for other companies', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => subscribe()));
    const other = await subscribe({}, { companyId: 'com_2' });
    const before = reads;
    append('com_1', { n: 1 });
    append('com_2', { n: 2 });
    announce();
    await Promise.all(clients.map((client) => client.has('event')));
    // One, unless the slow poll came at the same time.
    expect(reads - before).toBeLessThanOrEqual(2);
    expect(other.cursors()).toEqual([]);
  });

  it.each([
    ['a damaged cursor', { after: 'damaged' }],
    ['a cursor that is no text', { after: 1 }],
    ['no types', { types: [] }],
    ['too many types', { types: Array.from({ length: 31 }, (_, n) => `t${n}`) }],
    ['types that are no texts', { types: [1] }],
  ])('the events channel rejects %s', async (_, wanted) => {
    const client = await connect();
    const identifier = client.subscribe(wanted);
    await client.has('reject_subscription');
    expect(client.received()).toEqual([{ type: 'reject_subscription', identifier }]);
  });

  it('the events channel tells where to go on before it rejects an expired cursor', async () => {
    const client = await connect();
    const identifier = client.subscribe({ after: 'expired' });
    await client.has('reject_subscription');
    expect(client.received()).toEqual([
      { identifier, message: { type: 'cursor_expired', oldest_cursor: '3' } },
      { type: 'reject_subscription', identifier },
    ]);
    client.subscribe({ after: '3' });
    await client.has('caught_up');
  });

  it('the events channel is not for members, and ends with the role or the credential', async () => {
    const member = await connect({ role: Role.MEMBER });
    member.subscribe();
    await member.has('reject_subscription');
    const [demoted, revoked] = [await subscribe(), await subscribe()];
    gateway.credentials.set(demoted.key, { ...ane, role: Role.MEMBER });
    gateway.credentials.delete(revoked.key);
    // Without an event about the revocation, the last answer of identity counts for a second.
    await waitUntil(
      () => {
        append('com_1', { n: 1 });
        announce();
        return revoked.closed() && demoted.received().some(({ type }) => type === 'reject_subscription');
      },
      { what: 'the end', timeoutMs: 5000 },
    );
    expect(revoked.received().at(-1)).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false });
    expect(demoted.closed()).toBe(false);
  });

  it('the events channel is there once for a connection, and ends when the client says so', async () => {
    const client = await subscribe();
    client.send('subscribe', client.identifier);
    const other = client.subscribe({ types: ['call.ended'] });
    await client.has('reject_subscription');
    expect(client.received().filter(({ type }) => type !== undefined)).toEqual([
      { type: 'confirm_subscription', identifier: client.identifier },
      { type: 'confirm_subscription', identifier: client.identifier },
      { type: 'reject_subscription', identifier: other },
    ]);
    client.send('unsubscribe', client.identifier);
    client.subscribe({ types: ['call.ended'] });
    await waitUntil(() => client.received().at(-1).identifier === other && client.messages().length === 2, {
      what: 'the other subscription',
    });
    append('com_1', { n: 1 });
    announce();
    await client.has('event');
    expect(client.messages().at(-1).event.event).toBe('call.ended');
    expect(client.cursors()).toEqual([1]);
  });

  it('the events channel is there twenty times for a company', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => subscribe()));
    const more = await connect();
    more.subscribe();
    await more.has('reject_subscription');
    await subscribe({}, { companyId: 'com_2' });
    clients[0]!.socket.terminate();
    await waitUntil(
      async () => {
        more.subscribe();
        return more.received().some(({ type }) => type === 'confirm_subscription');
      },
      { what: 'a free place' },
    );
  });

  it('the events channel makes good an announcement that was lost', async () => {
    const client = await subscribe();
    append('com_1', { n: 1 });
    await waitUntil(() => client.cursors().length === 1, { what: 'the event', timeoutMs: 10_000 });
  });

  it('the events channel disconnects a client that does not read, which goes on at its last cursor; others have theirs', async () => {
    append('com_1', ...Array.from({ length: 400 }, (_, n) => ({ n, text: 'x'.repeat(50_000) })));
    const slow = await connect();
    slow.subscribe({ after: '0' });
    slow.socket.pause();
    const other = await subscribe({ after: '0' });
    expect(other.cursors()).toHaveLength(400);
    // The limit is one of real time, and a client that reads nothing sees nothing of it.
    const since = performance.now();
    await waitUntil(() => performance.now() - since > SLOW_AFTER_MS, { what: 'the limit', timeoutMs: 30_000 });
    const before = reads;
    slow.socket.resume();
    await waitUntil(() => slow.closed(), { what: 'the end', timeoutMs: 30_000 });
    expect(slow.received().at(-1)).toEqual({ type: 'disconnect', reason: 'too_slow', reconnect: true });
    expect(reads).toBe(before);
    const last = slow.cursors().at(-1)!;
    expect(slow.cursors()).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    const again = await subscribe({ after: String(last) });
    expect(again.cursors()).toEqual(Array.from({ length: 400 - last }, (_, index) => last + index + 1));
  }, 90_000);
});
