import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { type OwnProcess, startInOwnProcess } from './support/own-process.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

const EVENTS = 20;
const REQUESTS_AT_ONCE = 5;

let webhooks: RunningWebhooks;
let sender: OwnProcess;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  webhooks = await runWebhooks(
    [receiver.origin],
    { REQUESTS_PER_RECEIVER_MAX: String(REQUESTS_AT_ONCE) },
    { start: async (env) => (sender = await startInOwnProcess(env)) },
  );
});
afterEach(async () => {
  await webhooks?.stop();
  await receiver?.close();
});

/** The receiver hangs: some requests are in progress, and all other deliveries wait in the process. */
async function fillProcess() {
  const subscription = { name: 'CRM', url: `${receiver.origin}/hook`, events: ['contact.created'] };
  await webhooks.subscriptions.createSubscription(subscription, webhooks.as());
  receiver.reply = () => new Promise(() => undefined);
  // At once: after two seconds the receiver counts as slow, and new deliveries no longer wait in the process.
  await Promise.all(Array.from({ length: EVENTS }, () => webhooks.contact('created')));
  const deliveries = webhooks.db.collection('deliveries');
  const claimed = { 'claim.until': { $gt: new Date() } };
  await waitUntil(async () => (await deliveries.countDocuments(claimed)) === EVENTS, { what: 'claims' });
  await waitUntil(() => receiver.open() === REQUESTS_AT_ONCE, { what: 'requests in progress' });
  return { deliveries, claimed };
}

describe('a process that stops', () => {
  it('a process that stops returns what waits in it to the database, and records its interrupted requests', async () => {
    const { deliveries } = await fillProcess();
    await sender.stop();
    expect(await deliveries.countDocuments({ claim: null, attempts: [] })).toBe(EVENTS - REQUESTS_AT_ONCE);
    const interrupted = { claim: null, 'attempts.error': 'the sender was interrupted' };
    expect(await deliveries.countDocuments(interrupted)).toBe(REQUESTS_AT_ONCE);
  }, 90_000);
});

describe('a process that is killed', () => {
  it('a process that is killed leaves what was sent and what waited in it to the next one, once its claims have ended', async () => {
    const { deliveries, claimed } = await fillProcess();
    await sender.kill();
    receiver.reply = () => ({});
    // Simulates that the time has passed.
    await deliveries.updateMany(claimed, { $set: { 'claim.until': new Date(0) } });
    await webhooks.restart();
    await waitUntil(async () => (await deliveries.countDocuments({ status: 'delivered' })) === EVENTS, {
      what: 'all deliveries',
      timeoutMs: 30_000,
    });
    const stored = await deliveries.find().toArray();
    expect(stored.map(({ attempts }) => attempts.map(({ error }: { error: string | null }) => error))).toEqual(
      Array.from({ length: EVENTS }, () => ['the sender was interrupted', null]),
    );
    expect(receiver.received.filter(({ answered }) => answered === 200)).toHaveLength(EVENTS);
  }, 90_000);
});

describe('a process that is killed while it sends the events of one subject', () => {
  it('a process that is killed while it sends the events of one subject leaves the rest to the next one, in their order and with all their attempts', async () => {
    const subscription = { name: 'CRM', url: `${receiver.origin}/hook`, events: ['contact.updated'] };
    await webhooks.subscriptions.createSubscription(subscription, webhooks.as());
    const first = Promise.withResolvers<void>();
    // The first waits until the others are stored; the fifth has no answer.
    receiver.reply = ({ body }) => {
      const { name } = body.data['contact'];
      if (name === '5') return new Promise(() => undefined);
      return name === '1' ? first.promise.then(() => ({})) : {};
    };
    const { id } = await webhooks.contact('updated', { sequence: 1, name: '1' });
    for (let n = 2; n <= EVENTS; n += 1) await webhooks.contact('updated', { id, sequence: n, name: `${n}` });
    const deliveries = webhooks.db.collection('deliveries');
    await waitUntil(async () => (await deliveries.countDocuments()) === EVENTS, { what: 'deliveries' });
    first.resolve();
    await waitUntil(() => receiver.received.length === 5, { what: 'the fifth request' });
    await sender.kill();
    receiver.reply = () => ({});
    // Simulates that the time has passed.
    await deliveries.updateMany({ claim: { $ne: null } }, { $set: { 'claim.until': new Date(0) } });
    await webhooks.restart();
    await waitUntil(async () => (await deliveries.countDocuments({ status: 'delivered' })) === EVENTS, {
      what: 'all deliveries',
      timeoutMs: 60_000,
    });
    const names = Array.from({ length: EVENTS }, (_, n) => `${n + 1}`);
    expect(receiver.received.map(({ body }) => body.data['contact'].name)).toEqual([
      ...names.slice(0, 5),
      ...names.slice(4),
    ]);
    const stored = await deliveries.find().sort({ position: 1 }).toArray();
    expect(stored.map(({ attempts }) => attempts.length)).toEqual(names.map((name) => (name === '5' ? 2 : 1)));
  }, 120_000);
});
