import { expect } from '../../expectations/expect.ts';
import { exactly, matching, someText } from '../../expectations/shapes.ts';
import type { ApiClient } from '../../http/api-client.ts';
import { prepared } from '../../world/prepared.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { EVENTS, live } from './live.ts';

const { must } = checksOf('live-channel');
const EVENT_CHANNEL = { source: 'partner-kit.md: Live channel: `EventsChannel`', profile: 'api' } as const;

async function newContact(company: ApiClient): Promise<any> {
  return await prepared(company.post('/contacts', { phone: freshPhone(), name: 'Frida' }), 201);
}

const created = (contact: { id: string }) => ({ event: 'contact.created', data: { contact: { id: contact.id } } });

export const eventChannelChecks: readonly Check[] = [
  must(
    30,
    'The channel of events has each of them with a cursor, as the log has it.',
    EVENT_CHANNEL,
    async (context) => {
      const company = await context.companies.shared();
      await live(context, company, async (cable) => {
        const identifier = await cable.subscribes(EVENTS);
        const contact = await newContact(company);
        const event = created(contact);
        const { message } = await cable.gets({ identifier, message: { type: 'event', cursor: someText, event } });
        expect(message.event.id, matching(/^evt_/), 'the id of the event');
        await company.get(`/events/${message.event.id}`).gives(200, exactly(message.event));
        const next = await newContact(company);
        await cable.gets({ identifier, message: { event: created(next) } });
        const { events } = await company.get(`/events?after=${encodeURIComponent(message.cursor)}`).gives(200);
        expect(events[0], created(next), 'the event that the log has after the cursor');
      });
    },
  ),

  must(
    31,
    'The channel of events begins with the past after a cursor, and says when that is done.',
    EVENT_CHANNEL,
    async (context) => {
      const company = await context.companies.shared();
      let after = '';
      await live(context, company, async (cable) => {
        const identifier = await cable.subscribes(EVENTS);
        const contact = await newContact(company);
        const { message } = await cable.gets({ identifier, message: { type: 'event', event: created(contact) } });
        after = message.cursor;
      });
      const missed = [await newContact(company), await newContact(company)];
      await live(context, company, async (cable) => {
        const identifier = await cable.subscribes({ ...EVENTS, after });
        await cable.gets({ identifier, message: { type: 'caught_up', cursor: someText } });
        for (const contact of missed)
          await cable.gets({ identifier, message: { type: 'event', event: created(contact) } });
        const ofContacts = cable
          .messages(identifier)
          .flatMap(({ event }) => (event?.event === 'contact.created' ? [event.data.contact.id] : []));
        expect(
          ofContacts,
          missed.map(({ id }) => id),
          'the contacts of the events after the cursor',
        );
      });
    },
  ),

  must(32, 'The channel of events can be limited to types.', EVENT_CHANNEL, async (context) => {
    const company = await context.companies.shared();
    await live(context, company, async (cable) => {
      const identifier = await cable.subscribes({ ...EVENTS, types: ['contact.deleted'] });
      const { id } = await newContact(company);
      await company.delete(`/contacts/${id}`).givesNothing();
      const { message } = await cable.gets({ identifier, message: { type: 'event' } });
      expect(message.event, { event: 'contact.deleted', data: { contact: { id } } }, 'the first event');
    });
  }),

  must(33, 'A damaged cursor is rejected.', EVENT_CHANNEL, async (context) => {
    const company = await context.companies.shared();
    await live(context, company, async (cable) => {
      const identifier = await cable.asksFor({ ...EVENTS, after: 'damaged' });
      await cable.gets({ type: 'reject_subscription', identifier });
    });
  }),

  must(34, 'A member cannot follow the events.', { ...EVENT_CHANNEL, profile: 'full' }, async (context) => {
    const company = await context.companies.shared();
    const member = await company.hire({ role: 'member' });
    await live(context, member, async (cable) => {
      const identifier = await cable.asksFor(EVENTS);
      await cable.gets({ type: 'reject_subscription', identifier });
    });
  }),

  must(
    35,
    "Another company's events do not come, nor does its cursor work.",
    { ...EVENT_CHANNEL, profile: 'full' },
    async (context) => {
      const [company, another] = [await context.companies.shared(), await context.companies.another()];
      await live(context, company, async (cable) => {
        const identifier = await cable.subscribes(EVENTS);
        const { next_cursor: foreign } = await another.get('/events').gives(200);
        await newContact(another);
        const contact = await newContact(company);
        await cable.gets({ identifier, message: { event: created(contact) } });
        const ids = cable.messages(identifier).flatMap(({ event }) => (event ? [event.data.contact?.id] : []));
        expect(ids, [contact.id], 'the contacts of the events');
        await live(context, company, async (second) => {
          const rejected = await second.asksFor({ ...EVENTS, after: foreign });
          await second.gets({ type: 'reject_subscription', identifier: rejected });
        });
      });
    },
  ),
];
