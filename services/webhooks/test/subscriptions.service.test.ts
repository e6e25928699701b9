import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { storedDocument, waitUntil } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { webhooksFixture } from './support/webhooks-fixture.ts';

const fixture = webhooksFixture();

/** Waits until earlier requests have arrived, by sending a request of its own on a new connection. */
async function arrivedSoFar(path: string): Promise<number> {
  await fetch(`${fixture.receiver.origin}/fence`, { method: 'POST', body: '{}', headers: { connection: 'close' } });
  return fixture.receiver.at(path).length;
}

describe('a new subscription', () => {
  it('a new subscription gets whatever happens after the answer, also from replicas that have just found none', async () => {
    const { webhooks, receiver } = fixture;
    const companyId = newId('com');
    const replica = await webhooks.replica();
    // All partitions have events all the time, so both replicas know the company's subscriptions.
    let isOver = false;
    const happening = (async () => {
      while (!isOver) await webhooks.contact('created', { companyId });
    })();
    const path = '/seen-by-all';
    const names = Array.from({ length: 40 }, (_, n) => `After ${n}`);
    try {
      const owners = async () => (await storedDocument(webhooks.db, 'follower_state', 'webhooks-fanout'))?.['owners'];
      await waitUntil(async () => new Set((await owners()) as string[]).size === 2, { what: 'two replicas' });
      const subscription = { name: 'CRM', url: receiver.origin + path, events: ['contact.created'] };
      await webhooks.subscriptions.createSubscription(subscription, webhooks.as(companyId));
      await Promise.all(names.map((name) => webhooks.contact('created', { companyId, name })));
    } finally {
      isOver = true;
      await happening;
    }
    const arrived = () => receiver.at(path).map(({ body }) => String(body.data['contact'].name));
    await waitUntil(() => names.every((name) => arrived().includes(name)), { what: 'all that happened after' });
    await replica.stop();
  });
});

describe('a deletion', () => {
  it('a deletion ends scheduled attempts and the log', async () => {
    const { id, path } = await fixture.subscribe(['contact.created', 'contact.updated']);
    fixture.receiver.reply = () => ({ status: 500 });
    const contact = await fixture.webhooks.contact('created');
    await fixture.webhooks.contact('updated', { id: contact.id });
    await fixture.arrivals(path, 1);
    await waitUntil(async () => (await fixture.log(id)).length === 2, { what: 'both in the log' });
    await fixture.webhooks.subscriptions.deleteSubscription({ id }, fixture.webhooks.as());
    await fixture.webhooks.moveClock(3600);
    expect(fixture.receiver.at(path)).toHaveLength(1);
    expect(await fixture.webhooks.db.collection('deliveries').countDocuments({ subscriptionId: id })).toBe(0);
    await expect(fixture.log(id)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  });

  it('a deletion cuts off a request that is open', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    fixture.receiver.reply = (request) => (request.path === path ? new Promise(() => {}) : {});
    await fixture.webhooks.contact('created');
    await fixture.arrivals(path, 1);
    await fixture.webhooks.subscriptions.deleteSubscription({ id }, fixture.webhooks.as());
    await fixture.webhooks.moveClock(3600);
    expect(fixture.receiver.at(path)).toHaveLength(1);
  });

  it('a deletion in the middle of many events lets none start after its answer', async () => {
    const rounds = Array.from({ length: 12 }, async (_, round) => {
      const companyId = newId('com');
      const as = fixture.webhooks.as(companyId);
      const path = `/busy-${round}`;
      const { subscription } = await fixture.webhooks.subscriptions.createSubscription(
        { name: 'busy', url: fixture.receiver.origin + path, events: ['contact.created'] },
        as,
      );
      const happening = Array.from({ length: 30 }, () => fixture.webhooks.contact('created', { companyId }));
      await waitUntil(() => fixture.receiver.at(path).length > round, { what: 'some to have arrived' });
      await fixture.webhooks.subscriptions.deleteSubscription({ id: subscription!.id }, as);
      const before = await arrivedSoFar(path);
      await Promise.all(happening);
      return { path, before };
    });
    const deleted = await Promise.all(rounds);
    // Every event has been handled by now, and everything that was due.
    await fixture.webhooks.moveClock(3600);
    for (const { path, before } of deleted) expect(fixture.receiver.at(path)).toHaveLength(before);
  });
});

describe('a pause', () => {
  it('a pause holds new events, delivers a test event, and continues retries after it', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    fixture.receiver.reply = () => ({ status: 500 });
    await fixture.webhooks.contact('created', { name: 'retried' });
    await fixture.arrivals(path, 1);
    fixture.receiver.reply = () => ({});
    await fixture.webhooks.subscriptions.updateSubscription({ id, active: false }, fixture.webhooks.as());
    await fixture.webhooks.contact('created', { name: 'held' });
    await waitUntil(async () => (await fixture.log(id)).some(({ status }) => status === 'held'), {
      what: 'one to be held',
    });
    await fixture.webhooks.deliveries.sendTestEvent({ subscriptionId: id }, fixture.webhooks.as());
    await fixture.arrivals(path, 2);
    expect(fixture.receiver.at(path)[1]!.body).toMatchObject({ event: 'webhook.test', data: { webhook: { id } } });
    await fixture.webhooks.moveClock(60);
    expect(fixture.receiver.at(path)).toHaveLength(2);

    await fixture.webhooks.subscriptions.updateSubscription({ id, active: true }, fixture.webhooks.as());
    await fixture.arrivals(path, 3);
    expect(fixture.receiver.at(path)[2]!.body.data.contact.name).toBe('retried');
    const held = (await fixture.log(id)).find(({ status }) => status === 'held');
    await fixture.webhooks.deliveries.retryDelivery(
      { subscriptionId: id, deliveryId: held!.id },
      fixture.webhooks.as(),
    );
    await fixture.arrivals(path, 4);
    expect(fixture.receiver.at(path)[3]!.body.data.contact.name).toBe('held');
  });
});

describe('a secret', () => {
  it('a secret is not readable in the database', async () => {
    const { id, secret } = await fixture.subscribe(['contact.created']);
    const stored = await storedDocument(fixture.webhooks.db, 'subscriptions', id);
    expect(JSON.stringify(stored)).not.toContain(secret.replace('whsec_', ''));
  });

  it('a secret outlives the encryption key it was stored under', async () => {
    const { id, secret, path } = await fixture.subscribe(['contact.created']);
    const { ENCRYPTION_KEY: former } = fixture.webhooks.env;
    const key = randomBytes(32).toString('base64');
    const stored = async () =>
      (await storedDocument(fixture.webhooks.db, 'subscriptions', id))!['secrets'][0].encrypted;
    const before = await stored();
    await fixture.webhooks.restart({ ENCRYPTION_KEY: `${key},${former}` });
    await waitUntil(async () => (await stored()) !== before, { what: 'the secret to be written anew' });
    await fixture.webhooks.restart({ ENCRYPTION_KEY: key });
    await fixture.webhooks.deliveries.sendTestEvent({ subscriptionId: id }, fixture.webhooks.as());
    const [test] = await fixture.arrivals(path, 1);
    expect(() => new Webhook(secret).verify(test!.rawBody, test!.headers as Record<string, string>)).not.toThrow();
    await fixture.webhooks.restart({ ENCRYPTION_KEY: `${former},${key}` });
    await waitUntil(
      async () => (await stored()) !== before && (await stored()).split('.')[1] === before.split('.')[1],
      {
        what: 'the secret to be under the former key again',
      },
    );
    await fixture.webhooks.restart();
  });

  it('a secret that was rotated signs for a day together with the new one, and then no more', async () => {
    const { id, path, secret: old } = await fixture.subscribe(['contact.created']);
    const { secret } = await fixture.webhooks.subscriptions.rotateSubscriptionSecret({ id }, fixture.webhooks.as());
    const verify = (key: string, index: number) => () =>
      new Webhook(key).verify(
        fixture.receiver.at(path)[index]!.rawBody,
        fixture.receiver.at(path)[index]!.headers as any,
      );
    await fixture.webhooks.contact('created');
    await fixture.arrivals(path, 1);
    expect(verify(old, 0)).not.toThrow();
    expect(verify(secret, 0)).not.toThrow();
    await fixture.webhooks.moveClock(24 * 3600 + 1);
    await fixture.webhooks.contact('created', { occurredAt: new Date(Date.now() + (24 * 3600 + 1) * 1000) });
    await fixture.arrivals(path, 2);
    expect(verify(old, 1)).toThrow();
    expect(verify(secret, 1)).not.toThrow();
  });
});

describe('the cap', () => {
  it('the cap holds under fifty creations at once', async () => {
    const company = 'com_full';
    await fixture.webhooks.restart({ WEBHOOKS_MAX: '20' });
    const create = () =>
      fixture.webhooks.subscriptions.createSubscription(
        { name: 'n', url: `${fixture.receiver.origin}/cap`, events: ['contact.created'] },
        fixture.webhooks.as(company),
      );
    const results = await Promise.allSettled(Array.from({ length: 50 }, create));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ refusal: { code: 'limit_reached' } });
    }
  });
});

describe('an address', () => {
  it.each([
    ['not at all', 'is not a valid URL'],
    ['http://example.com/hook', 'must be an https URL'],
    ['ftp://example.com/hook', 'must be an https URL'],
    ['https://user:secret@example.com/', 'must not contain a user name or password'],
    ['https://127.0.0.1/', 'must be a public address'],
    ['https://[::1]/', 'must be a public address'],
    ['https://169.254.169.254/latest/meta-data', 'must be a public address'],
    ['https://[64:ff9b::7f00:1]/', 'must be a public address'],
    ['https://[::ffff:10.0.0.1]/', 'must be a public address'],
    ['https://localhost/', 'must be a public address'],
    ['https://2130706433/', 'must be a public address'],
  ])('the address "%s" is refused when it is saved, and when it replaces a good one', async (url, problem) => {
    const refused = { refusal: { code: 'validation_failed', fields: { url: [problem] } } };
    const fields = { name: 'n', url, events: ['contact.created'] };
    await expect(
      fixture.webhooks.subscriptions.createSubscription(fields, fixture.webhooks.as()),
    ).rejects.toMatchObject(refused);
    const { id } = await fixture.subscribe(['contact.created']);
    await expect(
      fixture.webhooks.subscriptions.updateSubscription({ id, url }, fixture.webhooks.as()),
    ).rejects.toMatchObject(refused);
    await fixture.webhooks.subscriptions.deleteSubscription({ id }, fixture.webhooks.as());
  });

  it('an address that was allowed when it was saved and is not any more is not connected to', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    await fixture.webhooks.restart({ ALLOWED_ORIGINS: '' });
    await fixture.webhooks.contact('created');
    const attempt = await waitUntil(async () => (await fixture.log(id))[0]?.attempts.find(({ error }) => error), {
      what: 'an attempt to be refused',
    });
    expect(attempt.error).toBe('the address must be an https URL');
    expect(fixture.receiver.at(path)).toEqual([]);
    await fixture.webhooks.restart();
  });
});

describe('another company’s webhook', () => {
  it('another company’s webhook answers as an unknown one does', async () => {
    const { id } = await fixture.subscribe(['contact.created']);
    const otherCompany = fixture.webhooks.as('com_other');
    const calls = (whose: string) => [
      fixture.webhooks.subscriptions.getSubscription({ id: whose }, otherCompany),
      fixture.webhooks.subscriptions.updateSubscription({ id: whose, name: 'x' }, otherCompany),
      fixture.webhooks.subscriptions.rotateSubscriptionSecret({ id: whose }, otherCompany),
      fixture.webhooks.subscriptions.deleteSubscription({ id: whose }, otherCompany),
      fixture.webhooks.deliveries.listDeliveries({ subscriptionId: whose }, otherCompany),
      fixture.webhooks.deliveries.retryDelivery({ subscriptionId: whose, deliveryId: 'whd_1' }, otherCompany),
      fixture.webhooks.deliveries.sendTestEvent({ subscriptionId: whose }, otherCompany),
    ];
    for (const whose of [id, 'whk_unknown']) {
      for (const result of await Promise.allSettled(calls(whose))) {
        expect(result).toMatchObject({ status: 'rejected', reason: { refusal: { code: 'not_found' } } });
      }
    }
    expect((await fixture.webhooks.subscriptions.listSubscriptions({}, otherCompany)).subscriptions).toEqual([]);
  });
});

describe('a clock that went back', () => {
  it('a clock that went back leaves no subscription without events and no delivery waiting', async () => {
    await fixture.webhooks.moveClock(7 * 24 * 3600);
    const { path } = await fixture.subscribe(['contact.created']);
    fixture.receiver.reply = (request) => (request.path === path ? { status: 500 } : {});
    await fixture.webhooks.contact('created', {
      name: 'retried',
      occurredAt: new Date(Date.now() + 7 * 24 * 3_600_000),
    });
    await fixture.arrivals(path, 1);
    fixture.receiver.reply = () => ({});
    await fixture.webhooks.moveClock(0);
    await fixture.webhooks.contact('created', { name: 'heard' });
    // A slow machine may take longer than the five seconds until the retry, so their order is left open.
    const names = () => fixture.receiver.at(path).map(({ body }) => body.data.contact.name);
    const times = (name: string) => names().filter((each) => each === name).length;
    await waitUntil(() => times('heard') === 1, { what: 'the event after the clock went back' });
    await fixture.webhooks.moveClock(6);
    await waitUntil(() => times('retried') === 2, { what: 'the retry' });
    expect(names().toSorted()).toEqual(['heard', 'retried', 'retried']);
  });
});

describe('changes of a subscription', () => {
  it('changes of a subscription are events with an audit entry by the one who made them', async () => {
    const { webhooks } = fixture;
    const recorded = await webhooks.record('webhooks.subscription.*');
    const { id } = await fixture.subscribe(['contact.created']);
    const own = () => recorded.filter(({ aggregateId }) => aggregateId === id);
    await waitUntil(() => own().length === 1, { what: 'the event of the creation' });
    await webhooks.subscriptions.updateSubscription({ id, active: false }, webhooks.as());
    await webhooks.subscriptions.rotateSubscriptionSecret({ id }, webhooks.as());
    await webhooks.subscriptions.deleteSubscription({ id }, webhooks.as());
    await waitUntil(() => own().length === 4, { what: 'all events' });
    expect(own().map(({ audit }) => audit?.type)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.secret_rotated',
      'webhook.deleted',
    ]);
    for (const { actor, audit, companyId } of own()) {
      expect(companyId).toBe(webhooks.companyId);
      expect(actor).toMatchObject({ type: 'employee', id: `emp_${webhooks.companyId}` });
      expect(audit?.object).toEqual({ type: 'webhook', id, name: 'CRM' });
    }
    const stored = webhooks.db.collection<{ _id: string }>('subscriptions');
    await waitUntil(async () => (await stored.countDocuments({ _id: id })) === 0, {
      what: 'the tombstone to be removed',
    });
  });
});
