import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from './support/receiver.ts';
import { webhooksFixture } from './support/webhooks-fixture.ts';

const fixture = webhooksFixture();

describe('an event', () => {
  it('an event reaches each matching subscription once, signed, with the three envelope keys', async () => {
    const wanting = [
      await fixture.subscribe(['contact.created']),
      await fixture.subscribe(['contact.updated', 'contact.created']),
    ];
    const other = await fixture.subscribe(['contact.deleted']);
    const contact = await fixture.webhooks.contact('created', { name: 'Åse' });
    for (const { id, secret, path } of wanting) {
      const [request] = await fixture.arrivals(path, 1);
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
      await waitUntil(async () => (await fixture.log(id))[0]?.status === 'delivered', { what: 'the log to show it' });
    }
    expect(fixture.receiver.at(other.path)).toEqual([]);
  });

  it('an event that arrives again is not sent again', async () => {
    const { path, id } = await fixture.subscribe(['contact.created']);
    const { event } = await fixture.webhooks.contact('created');
    await fixture.arrivals(path, 1);
    await fixture.webhooks.again(event, 2);
    await fixture.webhooks.contact('created');
    await fixture.arrivals(path, 2);
    expect(await fixture.log(id)).toHaveLength(2);
  });

  it('an event from before a subscription is not for it', async () => {
    const { path } = await fixture.subscribe(['contact.created']);
    await fixture.webhooks.contact('created', { occurredAt: new Date(Date.now() - 60_000) });
    const created = await fixture.webhooks.contact('created');
    const [first] = await fixture.arrivals(path, 1);
    expect(first!.body.data.contact.id).toBe(created.id);
  });

  it('an event of another company is not delivered', async () => {
    const { path } = await fixture.subscribe(['contact.created']);
    await fixture.webhooks.contact('created', { companyId: 'com_other' });
    const own = await fixture.webhooks.contact('created');
    const [first] = await fixture.arrivals(path, 1);
    expect(first!.body.data.contact.id).toBe(own.id);
  });
});

describe('a failing delivery', () => {
  it('a failing delivery is tried six times on the schedule, under one id, and then can be sent again', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    fixture.receiver.reply = () => ({ status: 500, body: 'out of order' });
    await fixture.webhooks.contact('created');
    await fixture.arrivals(path, 1);
    let ahead = 0;
    for (const [index, waitSecs] of [6, 331, 1981, 7921, 19_801].entries()) {
      await waitUntil(async () => (await fixture.log(id))[0]?.nextAttemptAt, { what: 'a plan' });
      ahead += waitSecs;
      await fixture.webhooks.moveClock(ahead);
      expect(fixture.receiver.at(path)).toHaveLength(index + 2);
    }
    const [failed] = await fixture.log(id);
    expect(failed!.status).toBe('failed');
    expect(failed!.nextAttemptAt).toBeUndefined();
    expect(failed!.attempts).toHaveLength(6);
    expect(failed!.attempts[0]).toMatchObject({
      statusCode: 500,
      error: 'the receiver answered 500',
      responseExcerpt: 'out of order',
    });
    expect(new Set(fixture.receiver.at(path).map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([failed!.id]),
    );

    fixture.receiver.reply = () => ({});
    await fixture.webhooks.deliveries.retryDelivery(
      { subscriptionId: id, deliveryId: failed!.id },
      fixture.webhooks.as(),
    );
    await fixture.arrivals(path, 7);
    await waitUntil(async () => (await fixture.log(id))[0]?.status === 'delivered', { what: 'the seventh to count' });
  });

  it('a failing delivery delays later events of its own subject only', async () => {
    const { path } = await fixture.subscribe(['contact.created', 'contact.updated', 'contact.deleted']);
    let failing = '';
    fixture.receiver.reply = ({ body }) => ({ status: body.data.contact.id === failing ? 503 : 200 });
    const first = { id: 'con_slow' };
    failing = first.id;
    await fixture.webhooks.contact('created', first);
    await fixture.webhooks.contact('updated', first);
    await fixture.webhooks.contact('deleted', first);
    const others = await Promise.all([1, 2, 3].map(() => fixture.webhooks.contact('created')));
    await fixture.arrivals(path, 4);
    expect(fixture.receiver.at(path).filter(({ body }) => body.data.contact.id === failing)).toHaveLength(1);
    expect(new Set(fixture.receiver.at(path).map(({ body }) => body.data.contact.id))).toEqual(
      new Set([failing, ...others.map(({ id }) => id)]),
    );
    failing = '';
    await fixture.webhooks.moveClock(6);
    await fixture.arrivals(path, 7);
    const events = fixture.receiver.at(path).filter(({ body }) => body.data.contact.id === first.id);
    expect(events.map(({ body }) => body.event)).toEqual([
      'contact.created',
      'contact.created',
      'contact.updated',
      'contact.deleted',
    ]);
  });
});

describe('a receiver that hangs', () => {
  it('a receiver that hangs delays no other, has a limited number of requests at once, and is aborted in time', async () => {
    const slow = await startReceiver();
    await fixture.webhooks.restart({
      ALLOWED_ORIGINS: `${fixture.receiver.origin},${slow.origin}`,
      REQUESTS_PER_RECEIVER_MAX: '3',
      ATTEMPT_SECS_MAX: '1',
    });
    try {
      slow.reply = () => new Promise(() => {});
      const companyId = 'com_slow';
      const events = ['contact.created'];
      const create = async (url: string) => {
        const made = await fixture.webhooks.subscriptions.createSubscription(
          { name: 'n', url, events },
          fixture.webhooks.as(companyId),
        );
        return made.subscription!.id;
      };
      const hanging = await create(`${slow.origin}/hangs`);
      const well = await create(`${fixture.receiver.origin}/well`);
      for (let n = 0; n < 60; n += 1) await fixture.webhooks.contact('created', { companyId });
      await fixture.arrivals('/well', 60);
      expect(slow.openMax()).toBeLessThanOrEqual(3);
      const logOf = async (subscriptionId: string) =>
        (
          await fixture.webhooks.deliveries.listDeliveries(
            { subscriptionId, limit: 100 },
            fixture.webhooks.as(companyId),
          )
        ).deliveries;
      await waitUntil(async () => (await logOf(well)).every(({ status }) => status === 'delivered'), {
        what: 'the log',
      });
      const tried = await waitUntil(
        async () => (await logOf(hanging)).flatMap(({ attempts }) => attempts).find(({ error }) => error),
        { what: 'an attempt to be cut off' },
      );
      expect(tried.error).toBe('no answer within 1 s');
      await fixture.webhooks.subscriptions.deleteSubscription({ id: hanging }, fixture.webhooks.as(companyId));
    } finally {
      await fixture.webhooks.restart();
      await slow.close();
    }
  });
});

describe('the log', () => {
  it('the log is read page by page, newest first, with cursors that fit nothing else', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    const other = await fixture.subscribe(['contact.deleted']);
    for (let n = 0; n < 5; n += 1) await fixture.webhooks.contact('created', { name: String(n) });
    await fixture.arrivals(path, 5);
    const page = (cursor: string, subscriptionId = id) =>
      fixture.webhooks.deliveries.listDeliveries({ subscriptionId, cursor, limit: 2 }, fixture.webhooks.as());
    const first = await page('');
    const second = await page(first.nextCursor);
    const third = await page(second.nextCursor);
    expect([first, second, third].map(({ deliveries }) => deliveries.length)).toEqual([2, 2, 1]);
    expect(third.nextCursor).toBe('');
    const ids = [first, second, third].flatMap(({ deliveries }) => deliveries.map((delivery) => delivery.id));
    expect(ids).toEqual((await fixture.log(id)).map((delivery) => delivery.id));
    const invalid = { refusal: { code: 'validation_failed', fields: { cursor: ['is invalid'] } } };
    await expect(page(first.nextCursor, other.id)).rejects.toMatchObject(invalid);
    await expect(page('nonsense')).rejects.toMatchObject(invalid);
  });
});

describe('Retry-After', () => {
  it('Retry-After puts the next attempt off', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    fixture.receiver.reply = (request) =>
      request.path === path ? { status: 429, headers: { 'retry-after': '600' } } : {};
    await fixture.webhooks.contact('created');
    await waitUntil(async () => (await fixture.log(id))[0]?.nextAttemptAt, { what: 'a plan' });
    await fixture.webhooks.moveClock(500);
    expect(fixture.receiver.at(path)).toHaveLength(1);
    await fixture.webhooks.moveClock(601);
    expect(fixture.receiver.at(path)).toHaveLength(2);
  });
});

describe('a redirect', () => {
  it('a redirect is a failure, and is not followed', async () => {
    const { id, path } = await fixture.subscribe(['contact.created']);
    const headers = { location: `${fixture.receiver.origin}/elsewhere` };
    fixture.receiver.reply = (request) => (request.path === path ? { status: 307, headers } : {});
    await fixture.webhooks.contact('created');
    const tried = await waitUntil(async () => (await fixture.log(id))[0]?.attempts.find(({ error }) => error), {
      what: 'a try',
    });
    expect(tried).toMatchObject({ statusCode: 307, error: 'the receiver answered 307; redirects are not followed' });
    expect(fixture.receiver.at('/elsewhere')).toEqual([]);
  });
});

describe('replicas', () => {
  it('replicas share the work, and a deletion in one cuts off what is open in the other', async () => {
    const twin = await fixture.webhooks.replica();
    try {
      const { id, path } = await fixture.subscribe(['contact.created']);
      for (let n = 0; n < 100; n += 1) await fixture.webhooks.contact('created');
      await fixture.arrivals(path, 100);
      await waitUntil(async () => (await fixture.log(id)).every(({ status }) => status === 'delivered'), {
        what: 'the log',
      });
      expect(fixture.receiver.at(path)).toHaveLength(100);

      fixture.receiver.reply = (request) => (request.path === path ? new Promise(() => {}) : {});
      for (let n = 0; n < 8; n += 1) await fixture.webhooks.contact('created');
      await fixture.arrivals(path, 108);
      await fixture.webhooks.subscriptions.deleteSubscription({ id }, fixture.webhooks.as());
      await waitUntil(() => fixture.receiver.open() === 0, {
        what: 'every open request to be cut off',
        // An attempt ends by itself after fifteen seconds.
        timeoutMs: 10_000,
      });
    } finally {
      await twin.stop();
    }
  });
});
