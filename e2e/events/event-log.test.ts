import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newColleague, request } from '../roles/staff.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { openHook } from '../webhooks/hooks.ts';
import { beginRecording, type LoggedEvent, readEvents, readPage, whenRecorded } from './read-events.ts';

let company: Company;

const phone = (n: number) => `+4520${String(n).padStart(6, '0')}`;
const createContact = async (n: number, name = `Contact ${n}`) =>
  (await succeeded(company.call('POST', '/contacts', { phone: phone(n), name }))).body;
const rename = (id: string, name: string) => succeeded(company.call('PATCH', `/contacts/${id}`, { name }));
const idsOf = (events: readonly LoggedEvent[]) => events.map(({ id }) => id);

describe('a request to the log of events', () => {
  beforeAll(async () => {
    company = await createTestCompany();
  });

  it.each([
    ['from=2026-01-01T00:00:00Z&after=x', 'validation_failed'],
    ['from=yesterday', 'validation_failed'],
    ['types=call.unknown', 'validation_failed'],
    ['types=', 'validation_failed'],
    ['types=call.ended,', 'validation_failed'],
    ['limit=x', 'validation_failed'],
    ['after=x', 'invalid_cursor'],
    ['after=', 'invalid_cursor'],
  ])('a request to the log of events is refused with %s', async (query, code) => {
    const { status, body } = await company.call('GET', `/events?${query}`);
    expect([status, body.code]).toEqual([422, code]);
  });

  it('a request to the log of events has a limit that is clamped', async () => {
    await beginRecording(company);
    await createContact(1);
    await whenRecorded(company, { types: 'contact.created' }, 1);
    expect((await readPage(company, { limit: '0' })).events).toHaveLength(1);
    expect((await readPage(company, { limit: '100000' })).events.length).toBeGreaterThan(0);
  });

  it('a request for the types of events is answered with every type and its former names', async () => {
    const { body } = await company.call('GET', '/event_types');
    expect(body.event_types).toContainEqual({
      name: 'call.outside_business_hours',
      description: expect.any(String),
      former_names: ['call.outside_opening_hours'],
    });
    const names = body.event_types.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(26);
    expect((await company.call('GET', `/events?types=${names.join(',')}`)).status).toBe(200);
  });
});

describe('the log of events', () => {
  beforeEach(async () => {
    company = await createTestCompany();
  });

  it('the log of events begins with its first use and has what happened since, each once', async () => {
    await createContact(1);
    const before = Date.now();
    const { events, recorded_since: since, has_more: hasMore, next_cursor: cursor } = await readPage(company);
    expect([events, hasMore]).toEqual([[], false]);
    expect(Math.abs(Date.parse(since) - before)).toBeLessThan(10_000);
    const { id } = await createContact(2, 'Ane');
    await rename(id, 'Anne');
    await succeeded(company.call('DELETE', `/contacts/${id}`));
    const recorded = await whenRecorded(company, { after: cursor }, 3);
    expect(recorded.map(({ event, data }) => [event, data['contact'].name])).toEqual([
      ['contact.created', 'Ane'],
      ['contact.updated', 'Anne'],
      ['contact.deleted', 'Anne'],
    ]);
    expect(new Set(idsOf(recorded)).size).toBe(3);
    expect((await readPage(company)).recorded_since).toBe(since);
    const one = await company.call('GET', `/events/${recorded[1]!.id}`);
    expect([one.status, one.body]).toEqual([200, recorded[1]]);
  });

  it('the log of events is in one order, in which events of a subject are as they happened, however it is read', async () => {
    await beginRecording(company);
    const contacts = await Promise.all(Array.from({ length: 8 }, (_, n) => createContact(n)));
    const rounds = Array.from({ length: 6 }, (_, round) => `Round ${round}`);
    await Promise.all(
      contacts.map(async ({ id }) => {
        for (const name of rounds) await rename(id, name);
      }),
    );
    const expected = contacts.length * (rounds.length + 1);
    const all = await whenRecorded(company, { types: 'contact.created,contact.updated' }, expected);
    expect(all).toHaveLength(expected);
    for (const { id, name } of contacts) {
      const own = all.filter(({ data }) => data['contact'].id === id).map(({ data }) => data['contact'].name);
      expect(own).toEqual([name, ...rounds]);
    }
    for (const limit of ['1', '7', '100'])
      expect(idsOf(await readEvents(company, { types: 'contact.created,contact.updated', limit }))).toEqual(idsOf(all));
  });

  it('the log of events has the body that its delivery carried, and the delivery its id', async () => {
    const hook = openHook(company);
    const { id: webhookId } = (
      await succeeded(company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['contact.created'] }))
    ).body;
    await createContact(1, 'Ane “the” \u2028 vår');
    const [arrived] = await hook.has(1);
    const [event] = await whenRecorded(company, { types: 'contact.created' }, 1);
    expect(arrived!.headers['parley-event-id']).toBe(event!.id);
    const { id, ...body } = event!;
    expect(JSON.stringify(body)).toBe(arrived!.raw_body);
    const { deliveries } = (await company.call('GET', `/webhooks/${webhookId}/deliveries`)).body;
    expect(deliveries.map((one: { event_id: string }) => one.event_id)).toEqual([id]);
    await succeeded(company.call('POST', `/webhooks/${webhookId}/test`));
    const [test] = (await company.call('GET', `/webhooks/${webhookId}/deliveries`)).body.deliveries;
    expect([test.event, test.event_id]).toEqual(['webhook.test', null]);
    expect((await hook.has(2))[1]!.headers['parley-event-id']).toBeUndefined();
  });

  it('the log of events is filtered by types, also by former names, with the same cursor', async () => {
    const start = await beginRecording(company);
    const { id } = await createContact(1);
    await rename(id, 'Other');
    const all = await whenRecorded(company, { after: start, types: 'contact.created,contact.updated' }, 2);
    const updated = await readEvents(company, { after: start, types: 'contact.updated' });
    expect(idsOf(updated)).toEqual(idsOf(all).slice(1));
    expect(await readEvents(company, { after: start, types: 'call.*' })).toEqual([]);
    expect(await readEvents(company, { after: start, types: 'call.outside_opening_hours' })).toEqual([]);
    const { next_cursor: afterFirst } = await readPage(company, { after: start, types: 'contact.created', limit: '1' });
    expect(idsOf(await readEvents(company, { after: afterFirst, types: 'contact.updated' }))).toEqual(
      idsOf(all).slice(1),
    );
  });

  it('the log of events is read from a time on', async () => {
    await beginRecording(company);
    await createContact(1);
    await whenRecorded(company, { types: 'contact.created' }, 1);
    const between = new Date(Date.now() + 1).toISOString();
    await waitUntil(async () => Date.now() > Date.parse(between) + 1, { what: 'a later time' });
    await createContact(2);
    const later = await whenRecorded(company, { from: between, types: 'contact.created' }, 1);
    expect(later.map(({ data }) => data['contact'].phone)).toEqual([phone(2)]);
    const inTokyo = between.replace('Z', '+00:00');
    expect(await readEvents(company, { from: inTokyo, types: 'contact.created' })).toEqual(later);
    expect((await readPage(company, { from: '2100-01-01T00:00:00Z' })).events).toEqual([]);
    expect(await readEvents(company, { from: '2000-01-01T00:00:00Z', types: 'contact.created' })).toHaveLength(2);
  });

  it('the log of events of another company behaves as unknown', async () => {
    const other = await createTestCompany();
    const cursor = await beginRecording(other);
    await succeeded(other.call('POST', '/contacts', { phone: phone(1), name: 'Secret' }));
    const [event] = await whenRecorded(other, { types: 'contact.created' }, 1);
    const hook = openHook(company);
    const own = { name: 'CRM', url: hook.url, events: ['contact.created'] };
    const { id: webhookId } = (await succeeded(company.call('POST', '/webhooks', own))).body;
    const foreign = await company.call('GET', `/events/${event!.id}`);
    const unknown = await company.call('GET', '/events/evt_00000000000000000000000000000000');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    const refused = await company.call('GET', `/events?after=${cursor}`);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_cursor']);
    expect(refused.text).toBe((await company.call('GET', '/events?after=x')).text);
    const sends = [
      await company.call('POST', `/events/${event!.id}/deliveries`, { webhook_id: webhookId }),
      await other.call('POST', `/events/${event!.id}/deliveries`, { webhook_id: webhookId }),
      await other.call('POST', `/webhooks/${webhookId}/deliveries/retry`, { since: '2020-01-01T00:00:00Z' }),
    ];
    for (const reply of sends) expect([reply.status, reply.body]).toEqual([404, { error: 'not_found' }]);
    expect(await readEvents(company, { types: 'contact.created' })).toEqual([]);
  });

  it('the log of events is not for members', async () => {
    const { byKey } = await newColleague(company, 'member');
    for (const [method, path] of [
      ['GET', '/events'],
      ['GET', '/events/evt_1'],
      ['GET', '/event_types'],
      ['POST', '/events/evt_1/deliveries'],
    ] as const)
      expect((await request(byKey, method, path, method === 'POST' ? {} : undefined)).status).toBe(403);
  });

  it('the log of events sends one to a webhook that was created later, and is in the activity log', async () => {
    await beginRecording(company);
    await createContact(1, 'Before');
    const [event] = await whenRecorded(company, { types: 'contact.created' }, 1);
    const hook = openHook(company);
    const { id } = (
      await succeeded(company.call('POST', '/webhooks', { name: 'Later', url: hook.url, events: ['call.ended'] }))
    ).body;
    const sent = await company.call('POST', `/events/${event!.id}/deliveries`, { webhook_id: id });
    expect([sent.status, sent.body.event, sent.body.event_id]).toEqual([202, 'contact.created', event!.id]);
    const [arrived] = await hook.has(1);
    expect([arrived!.headers['parley-event-id'], arrived!.body.data]).toEqual([event!.id, event!.data]);
    await waitUntil(
      async () => (await company.call('GET', '/audit_events?type=event.sent')).body.audit_events.length === 1,
      { what: 'the entry' },
    );
  });

  it('the log of events has nothing of a person who was erased, and its cursors go on', async () => {
    const start = await beginRecording(company);
    await createContact(1, 'Erased');
    await createContact(2, 'Kept');
    const [erased, kept] = await whenRecorded(company, { after: start, types: 'contact.created' }, 2);
    const { next_cursor: cursor } = await readPage(company, { after: start, types: 'contact.created', limit: '1' });
    const { body } = await succeeded(company.call('POST', '/privacy/erasures', { phone_number: phone(1) }));
    await waitUntil(async () => (await company.call('GET', `/privacy/erasures/${body.id}`)).body.state === 'done', {
      what: 'the erasure',
      timeoutMs: 60_000,
    });
    expect((await company.call('GET', `/events/${erased!.id}`)).status).toBe(404);
    const left = await readEvents(company, { after: start });
    expect(JSON.stringify(left)).not.toContain(phone(1));
    expect(idsOf(left)).toContain(kept!.id);
    expect(idsOf(await readEvents(company, { after: cursor, types: 'contact.created' }))).toEqual([kept!.id]);
    await createContact(3);
    const types = 'contact.created';
    expect(idsOf(await whenRecorded(company, { after: cursor, types }, 2))[0]).toBe(kept!.id);
  });
});

describe('failed deliveries', () => {
  beforeAll(async () => {
    company = await createTestCompany();
  });

  it('failed deliveries of a webhook are sent again in the order of their subject, held ones when they are asked for', async () => {
    const hook = openHook(company);
    const { id } = (
      await succeeded(company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['contact.updated'] }))
    ).body;
    const since = new Date(Date.now() - 60_000).toISOString();
    const retry = async (body: object) =>
      (await succeeded(company.call('POST', `/webhooks/${id}/deliveries/retry`, body))).body;
    await succeeded(company.call('PATCH', `/webhooks/${id}`, { active: false }));
    const names = ['first', 'second', 'third'];
    const { id: contactId } = await createContact(1);
    for (const name of names) await rename(contactId, name);
    await waitUntil(
      async () => {
        const { deliveries } = (await company.call('GET', `/webhooks/${id}/deliveries`)).body;
        return deliveries.filter(({ status }: { status: string }) => status === 'held').length === 3;
      },
      { what: 'the held ones' },
    );
    await succeeded(company.call('PATCH', `/webhooks/${id}`, { active: true }));
    expect(await retry({ since })).toEqual({ count: 0 });
    expect(await retry({ since: new Date(Date.now() + 60_000).toISOString(), statuses: ['held'] })).toEqual({
      count: 0,
    });
    expect(await retry({ since, statuses: ['failed', 'held'] })).toEqual({ count: 3 });
    const arrived = await hook.has(3);
    expect(arrived.map(({ body }) => body.data['contact'].name)).toEqual(names);
    await waitUntil(
      async () => {
        const { audit_events: entries } = (await company.call('GET', '/audit_events?type=webhook.failed_sent_again'))
          .body;
        return entries.some(({ changes }: { changes: object }) => JSON.stringify(changes).includes('3'));
      },
      { what: 'the entry' },
    );
  });
});
