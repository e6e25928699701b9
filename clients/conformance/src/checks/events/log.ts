import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { flag, listOf, listWith, someText, text, timestamp } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { EVENT, eventOfContact, eventsAbout, lastCursor, newContact, recorded, since } from './event.ts';

const { must } = checksOf('events');
const HEADING = 'partner-kit.md: Event log (paths below `/api/v1`, role admin, as webhooks)';
const LOG = { source: HEADING, profile: 'api' } as const;
const FULL = { source: HEADING, profile: 'full' } as const;

export const logChecks: readonly Check[] = [
  must(1, 'The log is a page of events with a cursor.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const contact = await newContact(company);
    await eventOfContact(company, contact);
    await company.get(`/events?from=${since(contact)}`).gives(200, {
      events: listOf(EVENT),
      next_cursor: someText,
      has_more: flag,
      recorded_since: timestamp,
    });
  }),

  must(2, 'An event can be read by its id.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const event = await eventOfContact(company, await newContact(company));
    await company.get(`/events/${event.id}`).gives(200, event);
  }),

  must(3, 'An unknown event is answered with 404.', LOG, async ({ companies }) => {
    const company = await companies.shared();
    await company.get(`/events/evt_${freshWord()}`).isNotFound();
    await company.post(`/events/evt_${freshWord()}/deliveries`, { webhook_id: 'whk_1' }).isNotFound();
  }),

  must(4, "Another company's event is answered with 404, and is in no page.", FULL, async ({ companies }) => {
    const [company, another] = [await recorded(await companies.shared()), await recorded(await companies.another())];
    const contact = await newContact(company);
    const { id } = await eventOfContact(company, contact);
    await another.get(`/events/${id}`).isNotFound();
    const own = await newContact(another);
    await eventOfContact(another, own);
    const { events } = await another.get(`/events?from=${since(contact)}`).gives(200);
    expectThat(!events.some((event: { id: string }) => event.id === id), 'a foreign event is in the page');
  }),

  must(5, 'Who follows the cursor sees every event once, the oldest first.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const after = await lastCursor(company);
    const contact = await newContact(company);
    await company.patch(`/contacts/${contact.id}`, { name: 'Else' }).gives(200);
    await company.delete(`/contacts/${contact.id}`).givesNothing();
    const names = ['contact.created', 'contact.updated', 'contact.deleted'];
    const isAbout = (data: any) => data.contact?.id === contact.id;
    await eventsAbout(company, `after=${encodeURIComponent(after)}`, isAbout, names);
    const found: any[] = [];
    let cursor = after;
    for (let pages = 0; pages < 50; pages++) {
      const page = await company.get(`/events?limit=1&after=${encodeURIComponent(cursor)}`).gives(200);
      expectThat(page.events.length <= 1, `a page of one has ${page.events.length} events`);
      found.push(...page.events);
      cursor = page.next_cursor;
      if (!page.has_more) break;
    }
    expect(new Set(found.map(({ id }) => id)).size, found.length, 'how many different events were seen');
    const ofContact = found.filter(({ data }) => isAbout(data)).map(({ event }) => event);
    expect(ofContact, names, 'the events of the contact');
  }),

  must(6, 'The cursor of an empty page leads to what comes next.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const cursor = encodeURIComponent(await lastCursor(company));
    const nothing = await company
      .get(`/events?types=contact.deleted&after=${cursor}`)
      .gives(200, { events: [], has_more: false, next_cursor: someText });
    const contact = await newContact(company);
    const after = `after=${encodeURIComponent(nothing.next_cursor)}`;
    await eventsAbout(company, after, (data) => data.contact?.id === contact.id, ['contact.created']);
  }),

  must(7, 'The log can be read by types, and by groups of them.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const contact = await newContact(company);
    await company.patch(`/contacts/${contact.id}`, { name: 'Else' }).gives(200);
    const isAbout = (data: any) => data.contact?.id === contact.id;
    const from = `from=${since(contact)}`;
    for (const [types, names] of [
      ['contact.*', ['contact.created', 'contact.updated']],
      ['contact.updated', ['contact.updated']],
      ['contact.updated,contact.created', ['contact.created', 'contact.updated']],
      ['call.*', []],
    ] as const)
      await eventsAbout(company, `${from}&types=${types}`, isAbout, names);
  }),

  must(8, 'A cursor does not depend on the types that it was read with.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const after = await lastCursor(company);
    const contact = await newContact(company);
    const isAbout = (data: any) => data.contact?.id === contact.id;
    await eventsAbout(company, `after=${encodeURIComponent(after)}`, isAbout, ['contact.created']);
    const path = `/events?types=contact.deleted&after=${encodeURIComponent(after)}`;
    const { next_cursor: behind } = await company.get(path).gives(200, { events: [] });
    const { events } = await company.get(`/events?after=${encodeURIComponent(behind)}`).gives(200);
    expect(
      events.some(({ data }: { data: any }) => isAbout(data)),
      false,
      'whether an event comes again that another filter has passed',
    );
  }),

  must(9, 'A former name of a type means the present one, and an unknown type is refused.', LOG, async ({ companies }) => {
    const company = await companies.shared();
    await company.get('/events?types=call.outside_opening_hours').gives(200);
    for (const types of ['contact.exploded', 'contact.created,nothing', 'nothing.*']) await company.get(`/events?types=${types}`).isRefused(422);
    const many = Array.from({ length: 31 }, () => 'contact.created').join();
    await company.get(`/events?types=${many}`).isRefused(422);
  }),

  must(10, 'The size of a page is 1 to 100, and 50 by default.', FULL, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const after = encodeURIComponent(await lastCursor(company));
    await Promise.all(Array.from({ length: 101 }, () => newContact(company)));
    const countOf = async (query: string): Promise<number> =>
      (await company.get(`/events?after=${after}${query}`).gives(200)).events.length;
    await eventually('all are recorded', async () => expect(await countOf('&limit=100'), 100, 'how many there are'));
    for (const [query, count] of [
      ['', 50],
      ['&limit=0', 1],
      ['&limit=-3', 1],
      ['&limit=1000', 100],
    ] as const)
      expect(await countOf(query), count, `how many events a page with "${query}" has`);
  }),

  must(11, 'A damaged cursor is refused.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const cursor = await lastCursor(company);
    const middle = Math.floor(cursor.length / 2);
    const other = cursor[middle] === 'A' ? 'B' : 'A';
    for (const damaged of ['x', cursor.slice(0, -4), cursor.slice(0, middle) + other + cursor.slice(middle + 1)])
      await company.get(`/events?after=${encodeURIComponent(damaged)}`).isRefused(422, { code: 'invalid_cursor' });
  }),

  must(12, "Another company's cursor is refused.", FULL, async ({ companies }) => {
    const [company, another] = [await recorded(await companies.shared()), await recorded(await companies.another())];
    const cursor = encodeURIComponent(await lastCursor(company));
    await another.get(`/events?after=${cursor}`).isRefused(422, { code: 'invalid_cursor' });
    await company.get(`/events?after=${cursor}`).gives(200);
  }),

  must(13, 'A page begins after a cursor or from a time, not both.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const contact = await newContact(company);
    const cursor = encodeURIComponent(await lastCursor(company));
    await company.get(`/events?after=${cursor}&from=${since(contact)}`).isRefused(422);
    for (const from of ['yesterday', '2026-13-45', '17']) await company.get(`/events?from=${from}`).isRefused(422, { field: 'from' });
  }),

  must(14, 'What is recorded since is the time of the first use, and stays.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const { recorded_since: first } = await company.get('/events').gives(200);
    const contact = await newContact(company);
    const event = await eventOfContact(company, contact);
    expectThat(event.timestamp >= first, `an event of ${event.timestamp} was recorded before ${first}`);
    await company.get('/events?limit=1').gives(200, { recorded_since: first });
  }),

  must(15, 'The types of events are listed with what they mean and how they were called.', LOG, async ({ companies }) => {
    const company = await companies.shared();
    const type = { name: someText, description: someText, former_names: listOf(text) };
    const { event_types: types } = await company.get('/event_types').gives(200, { event_types: listOf(type) });
    for (const name of ['call.initiated', 'call.lost', 'voicemail.new', 'contact.deleted', 'employee.status.changed'])
      expect(types, listWith({ name }), 'the types');
    const outside = { name: 'call.outside_business_hours', former_names: ['call.outside_opening_hours'] };
    expect(types, listWith(outside), 'the types');
  }),

  must(
    16,
    'A member cannot read events, whether or not they are there.',
    { source: 'partner-kit.md: Rules that must hold', profile: 'full' },
    async ({ companies }) => {
      const company = await recorded(await companies.shared());
      const { id } = await eventOfContact(company, await newContact(company));
      const member = await company.hire({ role: 'member' });
      const forbidden = { code: 'forbidden' };
      await member.get('/events').isRefused(403, forbidden);
      await member.get(`/events/${id}`).isRefused(403, forbidden);
      await member.get(`/events/evt_${freshWord()}`).isRefused(403, forbidden);
      await member.post(`/events/${id}/deliveries`, { webhook_id: 'whk_1' }).isRefused(403, forbidden);
      await company.withHeaders({}).get('/events').isRefused(401);
    },
  ),

  must(17, 'An event can be sent to a webhook that does not name its type, byte for byte.', FULL, async ({ companies, sandbox }) => {
    const company = await recorded(await companies.shared());
    const [all, none] = [sandbox.receiver(), sandbox.receiver()];
    const webhook = (url: string, events: string[]) => company.post('/webhooks', { name: 'Conformance', url, events }).gives(201);
    await webhook(all.url, ['contact.created']);
    const other = await webhook(none.url, ['number.registration_rejected']);
    const { id } = await eventOfContact(company, await newContact(company));
    await company.post(`/events/${id}/deliveries`, { webhook_id: other.id }).gives(202);
    const [sent, original] = await eventually('both deliveries', async () => {
      const [ofNone] = await none.deliveries();
      const ofAll = (await all.deliveries()).find(({ headers }) => headers['parley-event-id'] === id);
      expectThat(ofNone !== undefined && ofAll !== undefined, 'one of them is missing');
      return [ofNone!, ofAll!];
    });
    expect(sent!.raw_body, original!.raw_body, 'the body of the later delivery');
    expect(sent!.headers['parley-event-id'], id, 'its Parley-Event-Id');
    const [foreign] = [await companies.another()];
    const theirs = await foreign.post('/webhooks', { name: 'C', url: none.url, events: ['contact.created'] }).gives(201);
    const { status } = await company.post(`/events/${id}/deliveries`, { webhook_id: theirs.id });
    expectThat(status === 404 || status === 422, `sending it to a foreign webhook was answered with ${status}`);
  }),

  must(18, 'A test of a webhook is no event of the log.', FULL, async ({ companies, sandbox }) => {
    const company = await recorded(await companies.shared());
    const after = encodeURIComponent(await lastCursor(company));
    const receiver = sandbox.receiver();
    const sent = { name: 'Conformance', url: receiver.url, events: ['contact.created'] };
    const { id } = await company.post('/webhooks', sent).gives(201);
    await company.post(`/webhooks/${id}/test`).gives(202);
    await eventually('the test', async () => expect((await receiver.deliveries()).length, 1, 'how many deliveries'));
    const contact = await newContact(company);
    await eventsAbout(company, `after=${after}`, (data) => data.contact?.id === contact.id, ['contact.created']);
    const { events } = await company.get(`/events?after=${after}`).gives(200);
    expectThat(!events.some(({ event }: { event: string }) => event === 'webhook.test'), 'the test is in the log');
  }),
];
