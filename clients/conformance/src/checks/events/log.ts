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
    await company.get(`/events/${id}`).gives(200);
    await another.get(`/events/${id}`).isNotFound();
    const own = await newContact(another);
    await eventOfContact(another, own);
    const { events } = await another.get(`/events?from=${since(contact)}`).gives(200);
    expectThat(!events.some((event: { id: string }) => event.id === id), 'a foreign event is in the page');
  }),

  must(14, 'What is recorded since is the time of the first use, and stays.', LOG, async ({ companies }) => {
    const company = await recorded(await companies.shared());
    const { recorded_since: first } = await company.get('/events').gives(200);
    const contact = await newContact(company);
    const event = await eventOfContact(company, contact);
    expectThat(event.timestamp >= first, `an event of ${event.timestamp} was recorded before ${first}`);
    await company.get('/events?limit=1').gives(200, { recorded_since: first });
  }),

  must(
    15,
    'The types of events are listed with what they mean and how they were called.',
    LOG,
    async ({ companies }) => {
      const company = await companies.shared();
      const type = { name: someText, description: someText, former_names: listOf(text) };
      const { event_types: types } = await company.get('/event_types').gives(200, { event_types: listOf(type) });
      for (const name of ['call.initiated', 'call.lost', 'voicemail.new', 'contact.deleted', 'employee.status.changed'])
        expect(types, listWith({ name }), 'the types');
      const outside = { name: 'call.outside_business_hours', former_names: ['call.outside_opening_hours'] };
      expect(types, listWith(outside), 'the types');
    },
  ),

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

  must(
    17,
    'An event can be sent to a webhook that does not name its type, byte for byte.',
    FULL,
    async ({ companies, sandbox }) => {
      const company = await recorded(await companies.shared());
      const [all, none] = [sandbox.receiver(), sandbox.receiver()];
      const webhook = (url: string, events: string[]) =>
        company.post('/webhooks', { name: 'Conformance', url, events }).gives(201);
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
      const theirs = await foreign
        .post('/webhooks', { name: 'C', url: none.url, events: ['contact.created'] })
        .gives(201);
      const { status } = await company.post(`/events/${id}/deliveries`, { webhook_id: theirs.id });
      expectThat(status === 404 || status === 422, `sending it to a foreign webhook was answered with ${status}`);
    },
  ),

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
