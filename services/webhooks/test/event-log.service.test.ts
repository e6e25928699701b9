import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { eventReader } from './support/event-log-reader.ts';
import { webhooksFixture } from './support/webhooks-fixture.ts';

const fixture = webhooksFixture();

const refusedField = (field: string) => ({
  refusal: { code: 'validation_failed', fields: { [field]: [expect.any(String)] } },
});

/** A company whose events are recorded. */
async function recordedCompany(options: { types?: string[]; limit?: number } = {}) {
  const companyId = newId('com');
  const reader = eventReader(fixture.webhooks, companyId, options);
  await reader.readOn();
  return reader;
}

async function contacts(companyId: string, count: number, fact: 'created' | 'updated' = 'created') {
  return Promise.all(
    Array.from({ length: count }, (_, n) => fixture.webhooks.contact(fact, { companyId, name: `${fact} ${n}` })),
  );
}

describe('the event log', () => {
  it('the event log has each event once, the events of a subject in their order, whatever is repeated', async () => {
    const { webhooks } = fixture;
    const reader = await recordedCompany({ limit: 7 });
    const { companyId } = reader;
    const made = await contacts(companyId, 20);
    for (const { id } of made) await webhooks.contact('updated', { companyId, id });
    await reader.readUntil(40);
    for (const { event } of made) await webhooks.again(event, 3);
    const last = await webhooks.contact('created', { companyId });
    await reader.readUntil(41);
    expect(reader.read).toHaveLength(41);
    expect(new Set(reader.read.map(({ id }) => id)).size).toBe(41);
    for (const { id } of made)
      expect(reader.read.filter(({ json }) => json.data.contact.id === id).map(({ event }) => event)).toEqual([
        'contact.created',
        'contact.updated',
      ]);
    expect(reader.read.at(-1)!.json.data.contact.id).toBe(last.id);
    const again = eventReader(webhooks, companyId, { limit: 3 });
    expect((await again.readOn()).map(({ id }) => id)).toEqual(reader.read.map(({ id }) => id));
  });

  it('the event log has what the first delivery carried, and deliveries name the event', async () => {
    const { webhooks } = fixture;
    const { id, path } = await fixture.subscribe(['contact.created']);
    const reader = eventReader(webhooks, webhooks.companyId, {
      after: (await webhooks.eventLog.listEvents({ onlyPosition: true }, webhooks.as())).nextCursor,
      types: ['contact.*'],
    });
    await webhooks.contact('created', { name: 'Åse' });
    const [delivered] = await fixture.arrivals(path, 1);
    const [logged] = await reader.readUntil(1);
    expect(logged!.body).toBe(delivered!.rawBody);
    expect(delivered!.headers['parley-event-id']).toBe(logged!.id);
    expect(delivered!.headers['webhook-id']).toMatch(/^whd_/);
    expect((await fixture.log(id))[0]).toMatchObject({ eventId: logged!.id });
  });

  it('the event log has the current name of an event that a webhook gets under a former one', async () => {
    const { webhooks } = fixture;
    const { path } = await fixture.subscribe(['call.outside_opening_hours']);
    const { nextCursor: after } = await webhooks.eventLog.listEvents({ onlyPosition: true }, webhooks.as());
    const call = { id: newId('cal'), companyId: webhooks.companyId, from: '+4512345678', to: '+4570000000' };
    const about = { companyId: webhooks.companyId, aggregateId: call.id };
    await webhooks.publish(
      'call-control.call.outside_business_hours',
      { call: { ...call, startedAt: timestampFromDate(new Date()) } },
      about,
    );
    const [delivered] = await fixture.arrivals(path, 1);
    const [logged] = await eventReader(webhooks, webhooks.companyId, { after, types: ['call.*'] }).readUntil(1);
    expect(logged!.event).toBe('call.outside_business_hours');
    expect(delivered!.body).toEqual({ ...logged!.json, event: 'call.outside_opening_hours' });
    expect(delivered!.headers['parley-event-id']).toBe(logged!.id);
  });

  it('the event log begins with the first use, and has whatever happens from `recorded_since` on while events flow', async () => {
    const { webhooks } = fixture;
    const companyId = newId('com');
    const replica = await webhooks.replica();
    const happened: { id: string; occurredAt: Date }[] = [];
    let isOver = false;
    const happening = (async () => {
      while (!isOver) happened.push(await webhooks.contact('created', { companyId }));
    })();
    try {
      await waitUntil(() => happened.length > 50, { what: 'events' });
      const first = await webhooks.eventLog.listEvents({}, webhooks.as(companyId));
      await new Promise((resolve) => setTimeout(resolve, 500));
      isOver = true;
      await happening;
      const since = timestampDate(first.recordedSince!);
      expect(since.getTime()).toBeLessThanOrEqual(Date.now());
      const expected = happened.filter(({ occurredAt }) => occurredAt >= since).map(({ id }) => id);
      expect(expected.length).toBeGreaterThan(10);
      const reader = eventReader(webhooks, companyId);
      const ids = () => new Set(reader.read.map(({ json }) => json.data.contact.id as string));
      await waitUntil(async () => (await reader.readOn()) && expected.every((id) => ids().has(id)), {
        what: 'all events from then on',
      });
      expect(ids().has(happened[0]!.id)).toBe(false);
      const later = await webhooks.eventLog.listEvents({}, webhooks.as(companyId));
      expect(later.recordedSince).toEqual(first.recordedSince);
    } finally {
      isOver = true;
      await happening;
      await replica.stop();
    }
  });

  it('the event log is read from a time on, and by types, with cursors that do not depend on them', async () => {
    const { webhooks } = fixture;
    const reader = await recordedCompany();
    const { companyId } = reader;
    await contacts(companyId, 3);
    await reader.readUntil(3);
    const from = new Date(Date.now() + 50);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await contacts(companyId, 2, 'updated');
    await contacts(companyId, 2);
    await reader.readUntil(7);
    const list = (request: object) => webhooks.eventLog.listEvents(request, webhooks.as(companyId));
    expect((await list({ from: timestampFromDate(from) })).events).toHaveLength(4);
    const updated = await list({ types: ['contact.updated'], limit: 1 });
    expect(updated).toMatchObject({ hasMore: true, events: [{ event: 'contact.updated' }] });
    const rest = await list({ after: updated.nextCursor });
    const index = reader.read.findIndex(({ id }) => id === updated.events[0]!.id);
    expect(rest.events.map(({ id }) => id)).toEqual(reader.read.slice(index + 1).map(({ id }) => id));
    expect(await list({ after: rest.nextCursor })).toMatchObject({
      events: [],
      hasMore: false,
      nextCursor: rest.nextCursor,
    });
    expect((await list({ after: reader.read[4]!.cursor })).events.map(({ id }) => id)).toEqual(
      reader.read.slice(5).map(({ id }) => id),
    );
    expect((await list({ types: ['call.*'] })).events).toEqual([]);
  });

  it('the event log refuses a cursor that is damaged or another company’s, unknown types, and two beginnings', async () => {
    const { webhooks } = fixture;
    const { companyId } = await recordedCompany();
    const other = await recordedCompany();
    const list = (request: object) => webhooks.eventLog.listEvents(request, webhooks.as(companyId));
    const invalidCursor = { refusal: { code: 'invalid_cursor' } };
    await expect(list({ after: 'nonsense' })).rejects.toMatchObject(invalidCursor);
    await expect(list({ after: other.cursor() })).rejects.toMatchObject(invalidCursor);
    await expect(list({ types: ['contact.created', 'contact.sold'] })).rejects.toMatchObject(refusedField('types'));
    await expect(list({ types: ['fax.*'] })).rejects.toMatchObject(refusedField('types'));
    const { nextCursor: after } = await list({});
    await expect(list({ after, from: timestampFromDate(new Date()) })).rejects.toMatchObject(refusedField('from'));
  });

  it('the event log answers another company’s event as an unknown one', async () => {
    const { webhooks } = fixture;
    const reader = await recordedCompany();
    const other = await recordedCompany();
    await contacts(reader.companyId, 1);
    const [event] = await reader.readUntil(1);
    const { id, body, cursor } = event!;
    const read = await webhooks.eventLog.getEvent({ id }, webhooks.as(reader.companyId));
    expect(read.event).toMatchObject({ id, body, cursor, event: 'contact.created' });
    const notFound = { refusal: { code: 'not_found' } };
    const strangers = webhooks.as(other.companyId);
    await expect(webhooks.eventLog.getEvent({ id }, strangers)).rejects.toMatchObject(notFound);
    await expect(webhooks.eventLog.getEvent({ id: 'evt_1' }, strangers)).rejects.toMatchObject(notFound);
    const { id: subscriptionId } = await fixture.subscribe(['contact.created']);
    await expect(webhooks.eventLog.sendEvent({ eventId: id, subscriptionId }, strangers)).rejects.toMatchObject(
      notFound,
    );
    await expect(
      webhooks.eventLog.sendEvent({ eventId: id, subscriptionId }, webhooks.as(reader.companyId)),
    ).rejects.toMatchObject(notFound);
    expect((await other.readOn()).length).toBe(0);
  });

  it('the event log tells live connections that there is more to read', async () => {
    const { webhooks } = fixture;
    const reader = await recordedCompany();
    const updates: string[] = [];
    webhooks.broker.connection.subscribe(webhooks.broker.subject(`live.${reader.companyId}`), {
      callback: (_error, message) => void updates.push(message.string()),
    });
    await webhooks.broker.connection.flush();
    await contacts(reader.companyId, 1);
    await waitUntil(() => updates.length > 0, { what: 'an update' });
    expect(JSON.parse(updates[0]!)).toEqual({ type: 'event_log_update' });
    expect(await reader.readOn()).toHaveLength(1);
  });

  it('the event log keeps events for 30 days; a cursor of before has expired, and the oldest one goes on', async () => {
    const { webhooks } = fixture;
    const days = (count: number) => count * 24 * 3600;
    const reader = await recordedCompany();
    const { companyId } = reader;
    const beginning = reader.cursor()!;
    await contacts(companyId, 3);
    await reader.readUntil(3);
    const [first] = reader.read;
    await webhooks.moveClock(days(20));
    const occurredAt = new Date(Date.now() + days(20) * 1000);
    const young = await webhooks.contact('created', { companyId, occurredAt });
    await reader.readUntil(4);
    await webhooks.moveClock(days(31));
    const list = (request: object) => webhooks.eventLog.listEvents(request, webhooks.as(companyId));
    const expired = await list({ after: beginning });
    expect(expired).toMatchObject({ events: [], nextCursor: '', oldestCursor: expect.any(String) });
    const kept = await list({ after: expired.oldestCursor });
    expect(kept.events.map(({ body }) => JSON.parse(body).data.contact.id)).toEqual([young.id]);
    expect((await list({})).events).toEqual(kept.events);
    expect((await list({ after: reader.read[2]!.cursor })).events).toEqual(kept.events);
    await expect(webhooks.eventLog.getEvent({ id: first!.id }, webhooks.as(companyId))).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
  });
});

describe('sending an event', () => {
  it('sending an event makes a delivery to any webhook of the company, with the recorded body, and an audit entry', async () => {
    const { webhooks } = fixture;
    const audited = await webhooks.record('webhooks.subscription.event_sent');
    const { nextCursor: after } = await webhooks.eventLog.listEvents({ onlyPosition: true }, webhooks.as());
    await webhooks.contact('created', { name: 'Before' });
    const [event] = await eventReader(webhooks, webhooks.companyId, { after, types: ['contact.*'] }).readUntil(1);
    const { id: subscriptionId, path } = await fixture.subscribe(['contact.deleted']);
    const { delivery } = await webhooks.eventLog.sendEvent({ eventId: event!.id, subscriptionId }, webhooks.as());
    expect(delivery).toMatchObject({ event: 'contact.created', status: 'pending', eventId: event!.id });
    const [request] = await fixture.arrivals(path, 1);
    expect(request!.rawBody).toBe(event!.body);
    expect(request!.headers).toMatchObject({ 'parley-event-id': event!.id, 'webhook-id': delivery!.id });
    await waitUntil(() => audited.length > 0, { what: 'the audit entry' });
    expect(audited[0]).toMatchObject({
      audit: {
        type: 'event.sent',
        object: { type: 'event', id: event!.id, name: 'contact.created' },
        changes: { webhook_id: { from: null, to: subscriptionId } },
      },
      actor: { type: 'employee' },
    });
  });
});

describe('sending failed deliveries again', () => {
  it('sending failed deliveries again sends those since then, in the order of each subject, and those that were held if asked to', async () => {
    const { webhooks } = fixture;
    const audited = await webhooks.record('webhooks.subscription.failed_sent_again');
    const { id: subscriptionId, path } = await fixture.subscribe(['contact.created', 'contact.updated']);
    const since = timestampFromDate(new Date());
    fixture.receiver.reply = (request) => (request.path === path ? { status: 500 } : {});
    const made = [await webhooks.contact('created'), await webhooks.contact('created')];
    for (const { id } of made) await webhooks.contact('updated', { id });
    await waitUntil(async () => (await fixture.log(subscriptionId)).length === 4, { what: 'deliveries' });
    // Simulates that all attempts were made.
    await waitUntil(
      async () => {
        const all = await fixture.log(subscriptionId);
        return all.filter(({ attempts }) => attempts.some(({ statusCode }) => statusCode === 500)).length === 2;
      },
      { what: 'first attempts' },
    );
    await webhooks.db
      .collection('deliveries')
      .updateMany(
        { subscriptionId },
        { $set: { status: 'failed', due: null, lane: null, waitsFor: null, claim: null, attemptsLeft: 0 } },
      );
    fixture.receiver.reply = () => ({});
    const before = fixture.receiver.at(path).length;
    const retry = (request: object) =>
      webhooks.deliveries.retryDeliveries({ subscriptionId, since, ...request }, webhooks.as());
    expect(await retry({})).toMatchObject({ count: 4 });
    const arrived = (await fixture.arrivals(path, before + 4)).slice(before);
    for (const { id } of made)
      expect(arrived.filter(({ body }) => body.data['contact'].id === id).map(({ body }) => body.event)).toEqual([
        'contact.created',
        'contact.updated',
      ]);
    await waitUntil(async () => (await fixture.log(subscriptionId)).every(({ status }) => status === 'delivered'), {
      what: 'all to be delivered',
    });
    expect(await retry({})).toMatchObject({ count: 0 });

    await webhooks.subscriptions.updateSubscription({ id: subscriptionId, active: false }, webhooks.as());
    await webhooks.contact('created');
    await waitUntil(async () => (await fixture.log(subscriptionId))[0]?.status === 'held', { what: 'a held one' });
    await webhooks.subscriptions.updateSubscription({ id: subscriptionId, active: true }, webhooks.as());
    expect(await retry({})).toMatchObject({ count: 0 });
    expect(await retry({ statuses: ['failed', 'held'] })).toMatchObject({ count: 1 });
    await fixture.arrivals(path, before + 5);
    await waitUntil(() => audited.length === 2, { what: 'audit entries' });
    expect(audited.map(({ audit }) => audit?.changes['count'])).toEqual([
      { from: null, to: 4 },
      { from: null, to: 1 },
    ]);
    await expect(retry({ statuses: ['delivered'] })).rejects.toMatchObject(refusedField('statuses'));
  });

  it('sending failed deliveries again answers another company’s webhook as an unknown one', async () => {
    const { id: subscriptionId } = await fixture.subscribe(['contact.created']);
    const request = { subscriptionId, since: timestampFromDate(new Date()) };
    await expect(
      fixture.webhooks.deliveries.retryDeliveries(request, fixture.webhooks.as('com_other')),
    ).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  });
});
