import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

const HANGING_RECEIVERS = 20;
const HANGING_EVENTS = 20;
const QUIET_EVENTS = 10;
const BUSY_EVENTS = 400;
/** So slow that all deliveries take longer than it takes a busy machine to publish the events. */
const ANSWER_MS = 400;

let webhooks: RunningWebhooks;
let receiver: Receiver;
let hanging: Server;
/** Requests that hung and have ended. */
let ended: number;
let hangingOrigins: string[];

beforeEach(async () => {
  receiver = await startReceiver();
  // Reads requests and answers none of them, under as many origins as there are loopback addresses.
  ended = 0;
  hanging = createServer((request) => void request.socket.on('close', () => (ended += 1))).listen(0, '0.0.0.0');
  await once(hanging, 'listening');
  const { port } = hanging.address() as AddressInfo;
  hangingOrigins = Array.from({ length: HANGING_RECEIVERS }, (_, n) => `http://127.0.1.${n + 1}:${port}`);
  webhooks = await runWebhooks([receiver.origin, ...hangingOrigins], { REQUESTS_MAX: '40', ATTEMPT_SECS_MAX: '60' });
  await webhooks.replica();
});
afterEach(async () => {
  hanging.closeAllConnections();
  hanging.close();
  await webhooks?.stop();
  await receiver?.close();
});

/** A company whose receivers hang, with more events for each of them than a process may have open requests. */
async function hangingCompany(): Promise<void> {
  const companyId = newId('com');
  for (const origin of hangingOrigins) {
    const subscription = { name: 'hangs', url: `${origin}/hook`, events: ['contact.created'] };
    await webhooks.subscriptions.createSubscription(subscription, webhooks.as(companyId));
  }
  for (let n = 0; n < HANGING_EVENTS; n += 1) await webhooks.contact('created', { companyId });
}

describe('with two companies whose receivers hang', () => {
  it('a third company beside two whose receivers hang has its deliveries at once, on every replica', async () => {
    const companyId = newId('com');
    await webhooks.subscriptions.createSubscription(
      { name: 'well', url: `${receiver.origin}/hook`, events: ['contact.created'] },
      webhooks.as(companyId),
    );
    await hangingCompany();
    await hangingCompany();
    const openRequests = async () =>
      new Promise<number>((resolve) => hanging.getConnections((_error, count) => resolve(count)));
    await waitUntil(async () => (await openRequests()) >= 20, { what: 'requests that hang' });
    for (let n = 1; n <= QUIET_EVENTS; n += 1) {
      await webhooks.contact('created', { companyId });
      await waitUntil(() => receiver.at('/hook').length >= n, { what: `delivery ${n}` });
    }
    // None had to wait for the end of a request that hangs.
    expect(ended).toBe(0);
    const delays = receiver
      .at('/hook')
      .map(({ atMs, body }) => atMs - Date.parse(body.timestamp))
      .toSorted((a, b) => a - b);
    expect(delays).toHaveLength(QUIET_EVENTS);
    expect(delays[QUIET_EVENTS / 2]).toBeLessThan(1000);
  }, 90_000);
});

describe('with two companies for which a shared receiver hangs', () => {
  it('a third company has its deliveries at once although their receiver hangs for two others', async () => {
    const [companyId, ...hangingIds] = [newId('com'), newId('com'), newId('com')];
    for (const id of [companyId, ...hangingIds]) {
      await webhooks.subscriptions.createSubscription(
        { name: 'shared', url: `${receiver.origin}/${id}`, events: ['contact.created'] },
        webhooks.as(id),
      );
    }
    const hangs = ({ path }: { path: string }) => hangingIds.some((id) => path === `/${id}`);
    receiver.reply = (request) => (hangs(request) ? new Promise(() => undefined) : {});
    for (const id of hangingIds)
      for (let n = 0; n < HANGING_EVENTS; n += 1) await webhooks.contact('created', { companyId: id });
    await waitUntil(() => receiver.received.filter(hangs).length >= hangingIds.length, { what: 'hanging requests' });
    for (let n = 1; n <= QUIET_EVENTS; n += 1) {
      await webhooks.contact('created', { companyId });
      await waitUntil(() => receiver.at(`/${companyId}`).length >= n, { what: `delivery ${n}` });
    }
    // Requests that hang are open for a minute: none had to end first.
    expect(receiver.received.filter(hangs).every(({ answered }) => answered === undefined)).toBe(true);
    expect(receiver.open()).toBeGreaterThanOrEqual(hangingIds.length);
  }, 90_000);
});

describe('with a company that has many events for a receiver', () => {
  it('a company whose receiver gets many events of another company does not wait for all of them', async () => {
    const [busy, quiet] = [newId('com'), newId('com')];
    for (const companyId of [busy, quiet]) {
      await webhooks.subscriptions.createSubscription(
        { name: 'shared', url: `${receiver.origin}/${companyId}`, events: ['contact.created'] },
        webhooks.as(companyId),
      );
    }
    receiver.reply = () => sleep(ANSWER_MS, {});
    await Promise.all(Array.from({ length: BUSY_EVENTS }, () => webhooks.contact('created', { companyId: busy })));
    await waitUntil(() => receiver.at(`/${busy}`).length > 0, { what: 'the first delivery' });
    await webhooks.contact('created', { companyId: quiet });
    await waitUntil(() => receiver.at(`/${quiet}`).length > 0, { what: 'the delivery of the other company' });
    expect(receiver.at(`/${busy}`).length).toBeLessThan(BUSY_EVENTS * 0.8);
  }, 60_000);
});
