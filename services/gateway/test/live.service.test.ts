import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import WebSocket from 'ws';
import { ane, ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const IDENTIFIER = JSON.stringify({ channel: 'CallsChannel' });
/** Within which a revoked credential is cut. */
const CUT_WITHIN_MS = 5000;

let nats: OwnNats;
let gateway: TestGateway;
const open: WebSocket[] = [];
beforeAll(async () => {
  nats = await ownNats();
  gateway = await startGateway({}, {}, {}, nats);
}, 60_000);
afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
}, 60_000);

let keys = 0;
/** A client with its own key. */
function connect(principal = ane) {
  const key = `${ANES_KEY}_${(keys += 1)}`;
  gateway.credentials.set(key, principal);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], {
    headers: { 'X-Api-Key': key },
  });
  open.push(socket);
  const received: any[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  socket.on('error', () => undefined);
  const updates = () => received.filter(({ message }) => message?.type).map(({ message }) => message);
  return { key, socket, received, updates, closed: () => socket.readyState === WebSocket.CLOSED };
}

async function subscribe(principal = ane, identifier = IDENTIFIER) {
  const client = connect(principal);
  const has = (type: string) => client.received.some((one) => one.type === type);
  await waitUntil(() => has('welcome'), { what: 'the welcome' });
  client.socket.send(JSON.stringify({ command: 'subscribe', identifier }));
  await waitUntil(() => has('confirm_subscription'), { what: 'the subscription' });
  return client;
}

function publish(type: string, companyId: string, n = 1): void {
  gateway.publishEvent({
    id: `evt_${type}_${companyId}_${n}`,
    type,
    companyId,
    aggregateId: 'one',
    aggregateSequence: n,
    occurredAt: new Date(),
    traceparent: undefined,
    data: new Uint8Array(),
  });
}

const update = (id: number) => ({ type: 'sms_update', id: `msg_${id}`, phone_number: '+4520304050' });

describe('the live channel', () => {
  it('the live channel brings updates to the subscribed clients of their company only', async () => {
    const [own, other] = [await subscribe(), await subscribe({ ...ane, companyId: 'com_2' })];
    gateway.publishLive('com_1', update(1));
    gateway.publishLive('com_2', { type: 'unseen_update' });
    await waitUntil(() => own.updates().length > 0 && other.updates().length > 0, { what: 'the updates' });
    expect(own.received.find(({ message }) => message?.id)).toEqual({ identifier: IDENTIFIER, message: update(1) });
    expect([own.updates(), other.updates()]).toEqual([[update(1)], [{ type: 'unseen_update' }]]);
  });

  it('the live channel tells who subscribed to the team that employees or contacts of their company changed, and nobody else', async () => {
    const TEAM = JSON.stringify({ channel: 'TeamChannel' });
    const [own, other, calls] = [
      await subscribe(ane, TEAM),
      await subscribe({ ...ane, companyId: 'com_2' }, TEAM),
      await subscribe(),
    ];
    publish('call-control.employee_status.changed', 'com_1');
    publish('directory.contact.updated', 'com_1');
    publish('directory.employee.updated', 'com_2');
    gateway.publishLive('com_1', { type: 'unseen_update' });
    await waitUntil(() => own.updates().length > 1 && other.updates().length > 0 && calls.updates().length > 1, {
      what: 'the updates',
    });
    expect(own.updates()).toEqual([{ type: 'employees_update' }, { type: 'contacts_update' }]);
    expect(other.updates()).toEqual([{ type: 'employees_update' }]);
    expect(calls.updates()).toEqual([{ type: 'live_report_update' }, { type: 'unseen_update' }]);
  });

  it('the live channel tells who says when it has read whether something may have changed since then', async () => {
    const principal = { ...ane, companyId: 'com_5' };
    const since = (ms: number) => JSON.stringify({ channel: 'TeamChannel', read_ms_ago: ms });
    const answer = async (ms: number) => {
      const client = await subscribe(principal, since(ms));
      await waitUntil(() => client.updates().length > 0, { what: 'the answer' });
      return client.updates();
    };
    // The gateway has run for a moment.
    await waitUntil(async () => (await answer(1)).every(({ changed }) => !changed), { what: 'a quiet company' });
    // Before it began to follow updates, it cannot know.
    expect(await answer(3_600_000)).toEqual([{ type: 'since_read', changed: true }]);
    const follower = await subscribe(principal);
    gateway.publishLive('com_5', update(1));
    await waitUntil(() => follower.updates().length > 0, { what: 'the update' });
    expect(await answer(10_000)).toEqual([{ type: 'since_read', changed: true }]);
    expect((await subscribe(principal, JSON.stringify({ channel: 'TeamChannel' }))).updates()).toEqual([]);
  });

  it('the live channel tells of many calls that change the live report at most once a second', async () => {
    const [own, other] = [
      await subscribe({ ...ane, companyId: 'com_3' }),
      await subscribe({ ...ane, companyId: 'com_4' }),
    ];
    const startedMs = performance.now();
    for (let n = 0; n < 50; n++) publish('call-control.call.updated', 'com_3', n);
    await waitUntil(() => own.updates().length === 2, { what: 'the first and the last' });
    expect(performance.now() - startedMs).toBeGreaterThan(900);
    expect(own.updates()).toEqual([{ type: 'live_report_update' }, { type: 'live_report_update' }]);
    expect(other.updates()).toEqual([]);
  });

  it('the live channel tells of the session of a call at most twice a second, and of other calls at once', async () => {
    const own = await subscribe({ ...ane, companyId: 'com_6' });
    const of = (callId: string) => ({ type: 'assistant_update', call_id: callId });
    const startedMs = performance.now();
    for (let n = 0; n < 50; n++) gateway.publishLive('com_6', of('cal_1'));
    gateway.publishLive('com_6', of('cal_2'));
    await waitUntil(() => own.updates().length === 3, { what: 'the first, the other and the last' });
    expect(performance.now() - startedMs).toBeGreaterThan(400);
    const ids = own.updates().map((shown) => (shown as { call_id: string }).call_id);
    expect(ids).toEqual(['cal_1', 'cal_2', 'cal_1']);
  });

  it('the live channel disconnects a client that does not read, and serves the others', async () => {
    // Every update repeats the identifier, so that little more than ten thousand are more than the sockets can hold.
    const long = JSON.stringify({ channel: 'CallsChannel', padding: 'x'.repeat(900) });
    const [slow, other] = [await subscribe(ane, long), await subscribe()];
    slow.socket.pause();
    // In parts, as they would come: a single burst would be shortened.
    for (let sent = 0; sent < 20_000;) {
      const end = sent + 5000;
      for (; sent < end; sent++) gateway.publishLive('com_1', update(sent));
      await waitUntil(() => other.updates().length >= sent, { what: 'the updates', timeoutMs: 30_000 });
    }
    slow.socket.resume();
    await waitUntil(() => slow.closed(), { what: 'the cut' });
    expect(slow.updates().length).toBeLessThan(other.updates().length);
    expect(other.closed()).toBe(false);
  }, 60_000);

  it('the live channel disconnects a client whose credential was revoked while it connected, without an event', async () => {
    const client = connect();
    await waitUntil(() => gateway.verified.includes(client.key), { what: 'the first check' });
    gateway.credentials.delete(client.key);
    await waitUntil(() => client.closed(), { what: 'the cut', timeoutMs: CUT_WITHIN_MS });
    expect(client.received.at(-1)).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false });
  });

  it('the live channel looks at every credential again when the broker is back', async () => {
    const client = await subscribe();
    const checks = () => gateway.verified.filter((key) => key === client.key).length;
    await waitUntil(() => checks() >= 2, { what: 'the first check' });
    await nats.kill();
    const before = checks();
    await nats.start();
    // Without a reason, every thirty seconds.
    await waitUntil(() => checks() > before, { what: 'another check', timeoutMs: 15_000 });
    gateway.publishLive('com_1', update(2));
    await waitUntil(() => client.updates().length === 1, { what: 'an update' });
  }, 60_000);

  it('the live channel has a bounded number of subscriptions for a connection', async () => {
    const client = await subscribe();
    for (let n = 0; n < 12; n++)
      client.socket.send(
        JSON.stringify({ command: 'subscribe', identifier: JSON.stringify({ channel: 'CallsChannel', n }) }),
      );
    const answers = (type: string) => client.received.filter((one) => one.type === type).length;
    await waitUntil(() => answers('reject_subscription') === 3, { what: 'the rejections' });
    expect(answers('confirm_subscription')).toBe(10);
  });
});
