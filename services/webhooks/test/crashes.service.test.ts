import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { type OwnProcess, startInOwnProcess } from './support/own-process.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

const EVENTS = 40;
const REQUESTS_AT_ONCE = 10;

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

describe('a process that is killed', () => {
  it('leaves what was sent and what waited in it to the next one, once its claims have ended', async () => {
    const subscription = { name: 'CRM', url: `${receiver.origin}/hook`, events: ['contact.created'] };
    await webhooks.subscriptions.createSubscription(subscription, webhooks.as());
    receiver.reply = () => new Promise(() => undefined);
    for (let n = 0; n < EVENTS; n += 1) await webhooks.contact('created');
    const deliveries = webhooks.db.collection('deliveries');
    const claimed = { 'claim.until': { $gt: new Date() } };
    await waitUntil(async () => (await deliveries.countDocuments(claimed)) === EVENTS, { what: 'claims' });
    await waitUntil(() => receiver.open() === REQUESTS_AT_ONCE, { what: 'requests in progress' });

    await sender.kill();
    receiver.reply = () => ({});
    // As if the time had passed.
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
