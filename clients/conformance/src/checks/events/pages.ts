import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { someText } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { eventsAbout, lastCursor, newContact, recorded, since } from './event.ts';

const { must } = checksOf('events');
const HEADING = 'partner-kit.md: Event log (paths below `/api/v1`, role admin, as webhooks)';
const LOG = { source: HEADING, profile: 'api' } as const;
const FULL = { source: HEADING, profile: 'full' } as const;

export const pageChecks: readonly Check[] = [
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

  must(
    9,
    'A former name of a type means the present one, and an unknown type is refused.',
    LOG,
    async ({ companies }) => {
      const company = await companies.shared();
      await company.get('/events?types=call.outside_opening_hours').gives(200);
      for (const types of ['contact.exploded', 'contact.created,nothing', 'nothing.*'])
        await company.get(`/events?types=${types}`).isRefused(422);
      const many = Array.from({ length: 31 }, () => 'contact.created').join();
      await company.get(`/events?types=${many}`).isRefused(422);
    },
  ),

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
    for (const from of ['yesterday', '2026-13-45', '17'])
      await company.get(`/events?from=${from}`).isRefused(422, { field: 'from' });
  }),
];
