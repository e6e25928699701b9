import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

let receiver: Receiver;
let webhooks: RunningWebhooks;
let count = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  webhooks = await runWebhooks([receiver.origin]);
});

afterAll(async () => {
  await webhooks?.close();
  await receiver?.close();
});

afterEach(async () => {
  receiver.reply = () => ({});
  await webhooks.moveClock(0);
});

async function subscribe(events: string[], path = `/hook-${(count += 1)}`) {
  const { subscription, secret } = await webhooks.subscriptions.createSubscription(
    { name: 'CRM', url: receiver.origin + path, events },
    webhooks.as(),
  );
  return { id: subscription!.id, secret, path };
}

async function log(subscriptionId: string) {
  const { deliveries } = await webhooks.deliveries.listDeliveries({ subscriptionId, limit: 100 }, webhooks.as());
  return deliveries;
}

const arrivals = (path: string, howMany: number) =>
  waitUntil(() => (receiver.at(path).length >= howMany ? receiver.at(path) : undefined), {
    what: `${howMany} requests at ${path}`,
  });

describe('an event', () => {
  it('reaches each subscription that wants it once, signed, with the three envelope keys', async () => {
    const wanting = [await subscribe(['contact.created']), await subscribe(['contact.updated', 'contact.created'])];
    const other = await subscribe(['contact.deleted']);
    const contact = await webhooks.contact('created', { name: 'Åse' });
    for (const { id, secret, path } of wanting) {
      const [request] = await arrivals(path, 1);
      expect(request!.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Parley-Webhooks/1.0',
      });
      const verified = new Webhook(secret).verify(request!.rawBody, request!.headers as Record<string, string>);
      expect(verified).toEqual({
        event: 'contact.created',
        timestamp: contact.occurredAt.toISOString(),
        data: { contact: expect.objectContaining({ id: contact.id, name: 'Åse', note: null }) },
      });
      await waitUntil(async () => (await log(id))[0]?.status === 'delivered', { what: 'the log to say so' });
    }
    expect(receiver.at(other.path)).toEqual([]);
  });

  it('that arrives again is not sent again', async () => {
    const { path, id } = await subscribe(['contact.created']);
    const contact = await webhooks.contact('created');
    await arrivals(path, 1);
    // Under another sequence, as if the follower had lost its place: only the event's own id tells.
    await webhooks.contact('created', { ...contact, sequence: 2 });
    await webhooks.contact('created');
    await arrivals(path, 2);
    expect(await log(id)).toHaveLength(2);
  });

  it('from before a subscription is not for it', async () => {
    const { path } = await subscribe(['contact.created']);
    await webhooks.contact('created', { occurredAt: new Date(Date.now() - 60_000) });
    const heard = await webhooks.contact('created');
    const [first] = await arrivals(path, 1);
    expect(first!.body.data.contact.id).toBe(heard.id);
  });

  it('of another company is not heard of', async () => {
    const { path } = await subscribe(['contact.created']);
    await webhooks.contact('created', { companyId: 'com_other' });
    const own = await webhooks.contact('created');
    const [first] = await arrivals(path, 1);
    expect(first!.body.data.contact.id).toBe(own.id);
  });
});

describe('a failing delivery', () => {
  it('is tried six times on the schedule, under one id, and then can be sent again', async () => {
    const { id, path } = await subscribe(['contact.created']);
    receiver.reply = () => ({ status: 500, body: 'out of order' });
    await webhooks.contact('created');
    await arrivals(path, 1);
    let ahead = 0;
    for (const [index, waitSecs] of [6, 331, 1981, 7921, 19_801].entries()) {
      await waitUntil(async () => (await log(id))[0]?.nextAttemptAt, { what: 'a plan' });
      ahead += waitSecs;
      await webhooks.moveClock(ahead);
      expect(receiver.at(path)).toHaveLength(index + 2);
    }
    const [failed] = await log(id);
    expect(failed!.status).toBe('failed');
    expect(failed!.nextAttemptAt).toBeUndefined();
    expect(failed!.attempts).toHaveLength(6);
    expect(failed!.attempts[0]).toMatchObject({
      statusCode: 500,
      error: 'the receiver answered 500',
      responseExcerpt: 'out of order',
    });
    expect(new Set(receiver.at(path).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed!.id]));

    receiver.reply = () => ({});
    await webhooks.deliveries.retryDelivery({ subscriptionId: id, deliveryId: failed!.id }, webhooks.as());
    await arrivals(path, 7);
    await waitUntil(async () => (await log(id))[0]?.status === 'delivered', { what: 'the seventh to count' });
  });

  it('holds up later events of its own subject and nobody else’s', async () => {
    const { path } = await subscribe(['contact.created', 'contact.updated', 'contact.deleted']);
    let failing = '';
    receiver.reply = ({ body }) => ({ status: body.data.contact.id === failing ? 503 : 200 });
    const first = { id: 'con_slow' };
    failing = first.id;
    await webhooks.contact('created', first);
    await webhooks.contact('updated', first);
    await webhooks.contact('deleted', first);
    const others = await Promise.all([1, 2, 3].map(() => webhooks.contact('created')));
    await arrivals(path, 4);
    expect(receiver.at(path).filter(({ body }) => body.data.contact.id === failing)).toHaveLength(1);
    expect(new Set(receiver.at(path).map(({ body }) => body.data.contact.id))).toEqual(
      new Set([failing, ...others.map(({ id }) => id)]),
    );
    failing = '';
    await webhooks.moveClock(6);
    const events = receiver.at(path).filter(({ body }) => body.data.contact.id === first.id);
    expect(events.map(({ body }) => body.event)).toEqual([
      'contact.created',
      'contact.created',
      'contact.updated',
      'contact.deleted',
    ]);
  });
});

describe('a deletion', () => {
  it('ends scheduled attempts and the log', async () => {
    const { id, path } = await subscribe(['contact.created', 'contact.updated']);
    receiver.reply = () => ({ status: 500 });
    const contact = await webhooks.contact('created');
    await webhooks.contact('updated', { id: contact.id });
    await arrivals(path, 1);
    await waitUntil(async () => (await log(id)).length === 2, { what: 'both in the log' });
    await webhooks.subscriptions.deleteSubscription({ id }, webhooks.as());
    await webhooks.moveClock(3600);
    expect(receiver.at(path)).toHaveLength(1);
    expect(await webhooks.db.collection('deliveries').countDocuments({ subscriptionId: id })).toBe(0);
    await expect(log(id)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  });

  it('cuts off a request that is open', async () => {
    const { id, path } = await subscribe(['contact.created']);
    receiver.reply = (request) => (request.path === path ? new Promise(() => {}) : {});
    await webhooks.contact('created');
    await arrivals(path, 1);
    await webhooks.subscriptions.deleteSubscription({ id }, webhooks.as());
    await webhooks.moveClock(3600);
    expect(receiver.at(path)).toHaveLength(1);
  });
});

describe('a pause', () => {
  it('holds new events, lets a test event through, and after it a retry goes on', async () => {
    const { id, path } = await subscribe(['contact.created']);
    receiver.reply = () => ({ status: 500 });
    await webhooks.contact('created', { name: 'retried' });
    await arrivals(path, 1);
    receiver.reply = () => ({});
    await webhooks.subscriptions.updateSubscription({ id, active: false }, webhooks.as());
    await webhooks.contact('created', { name: 'held' });
    await waitUntil(async () => (await log(id)).some(({ status }) => status === 'held'), { what: 'one to be held' });
    await webhooks.deliveries.sendTestEvent({ subscriptionId: id }, webhooks.as());
    await arrivals(path, 2);
    expect(receiver.at(path)[1]!.body).toMatchObject({ event: 'webhook.test', data: { webhook: { id } } });
    await webhooks.moveClock(60);
    expect(receiver.at(path)).toHaveLength(2);

    await webhooks.subscriptions.updateSubscription({ id, active: true }, webhooks.as());
    await arrivals(path, 3);
    expect(receiver.at(path)[2]!.body.data.contact.name).toBe('retried');
    const held = (await log(id)).find(({ status }) => status === 'held');
    await webhooks.deliveries.retryDelivery({ subscriptionId: id, deliveryId: held!.id }, webhooks.as());
    await arrivals(path, 4);
    expect(receiver.at(path)[3]!.body.data.contact.name).toBe('held');
  });
});

describe('a rotation', () => {
  it('has both secrets sign for a day, and then only the new one', async () => {
    const { id, path, secret: old } = await subscribe(['contact.created']);
    const { secret } = await webhooks.subscriptions.rotateSubscriptionSecret({ id }, webhooks.as());
    const verify = (key: string, index: number) => () =>
      new Webhook(key).verify(receiver.at(path)[index]!.rawBody, receiver.at(path)[index]!.headers as any);
    await webhooks.contact('created');
    await arrivals(path, 1);
    expect(verify(old, 0)).not.toThrow();
    expect(verify(secret, 0)).not.toThrow();
    await webhooks.moveClock(24 * 3600 + 1);
    await webhooks.contact('created', { occurredAt: new Date(Date.now() + (24 * 3600 + 1) * 1000) });
    await arrivals(path, 2);
    expect(verify(old, 1)).toThrow();
    expect(verify(secret, 1)).not.toThrow();
  });
});

describe('the cap', () => {
  it('holds under fifty creations at once', async () => {
    const company = 'com_full';
    await webhooks.restart({ WEBHOOKS_MAX: '20' });
    const create = () =>
      webhooks.subscriptions.createSubscription(
        { name: 'n', url: `${receiver.origin}/cap`, events: ['contact.created'] },
        webhooks.as(company),
      );
    const results = await Promise.allSettled(Array.from({ length: 50 }, create));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ refusal: { code: 'limit_reached' } });
    }
  });
});
