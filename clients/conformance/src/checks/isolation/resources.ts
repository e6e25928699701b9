import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, someText } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { areNotFound, two } from './foreign.ts';

const { must } = checksOf('isolation');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const ISOLATED = { source: 'service-api.md: What the service does', profile: 'full' } as const;
const EVENTS = { source: 'partner-kit.md: Rules that must hold', profile: 'full' } as const;
const INBOX = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const PRIVACY = { source: 'people.md: Privacy', profile: 'full' } as const;

/** The event of a new contact, as soon as it is in the log. */
async function eventOf(company: Company, after: string, contactId: string): Promise<{ id: string }> {
  return await eventually('the event is in the log', async () => {
    const { events } = await company.get(`/events?types=contact.created&after=${encodeURIComponent(after)}`).gives(200);
    const found = events.find(({ data }: any) => data.contact.id === contactId);
    expectThat(found !== undefined, 'it is not there');
    return found;
  });
}

/** A page of the inbox that another one follows. */
async function pageOf(company: Company): Promise<{ next_cursor: string }> {
  return await eventually('there are two pages', () =>
    company.get('/inbox?limit=1').gives(200, { threads: [{}], next_cursor: someText }),
  );
}

export const resourceChecks: readonly Check[] = [
  must(20, "Another company's employee can be neither read nor changed nor removed.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const { id } = await company.hire();
    const before = await company.get(`/employees/${id}`).gives(200);
    await areNotFound(stranger, id, [
      ['GET', '/employees/:id'],
      ['PATCH', '/employees/:id', { name: 'Mine', role: 'owner' }],
      ['GET', '/employees/:id/do_not_disturb'],
      ['PUT', '/employees/:id/do_not_disturb', { enabled: true }],
      ['DELETE', '/employees/:id'],
    ]);
    await company.get(`/employees/${id}`).gives(200, exactly(before));
  }),

  must(21, "Another company's webhook can be neither read nor changed nor used.", ISOLATED, async (context) => {
    const [company, stranger] = await two(context);
    const receiver = context.sandbox.receiver();
    const webhook = { name: 'Mine', url: receiver.url, events: ['contact.created'] };
    const { id } = await company.post('/webhooks', webhook).gives(201);
    await areNotFound(stranger, id, [
      ['GET', '/webhooks/:id'],
      ['PATCH', '/webhooks/:id', { active: false }],
      ['POST', '/webhooks/:id/rotate_secret'],
      ['GET', '/webhooks/:id/deliveries'],
      ['POST', '/webhooks/:id/test'],
      ['POST', '/webhooks/:id/deliveries/retry', { since: '2020-01-01T00:00:00.000Z' }],
      ['DELETE', '/webhooks/:id'],
    ]);
    await company.get(`/webhooks/${id}`).gives(200, { ...webhook, active: true });
    expect((await receiver.deliveries()).length, 0, 'the number of deliveries');
  }),

  must(22, "Another company's text can be neither read nor sent again.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const { id: numberId } = await company.number();
    const text = { to: freshPhone(), text: 'Hello', idempotency_key: freshWord() };
    const { id } = await company.post(`/business_numbers/${numberId}/messages`, text).gives(201);
    await areNotFound(stranger, id, [
      ['GET', '/messages/:id'],
      ['POST', '/messages/:id/retries', { idempotency_key: 'again' }],
    ]);
  }),

  must(23, "Another company's erasures and exports are not there.", PRIVACY, async (context) => {
    const [company, stranger] = await two(context);
    for (const kind of ['erasures', 'exports']) {
      const body = { phone_number: freshPhone() };
      const { id } = await company.post(`/privacy/${kind}`, body).gives(202);
      await areNotFound(stranger, id, [['GET', `/privacy/${kind}/:id`]]);
    }
  }),

  must(24, "Another company's events, and its cursors, are unknown.", EVENTS, async (context) => {
    const [company, stranger] = await two(context);
    const { next_cursor: start } = await company.get('/events').gives(200);
    await stranger.get('/events').gives(200);
    const receiver = context.sandbox.receiver();
    const webhook = { name: 'Own', url: receiver.url, events: ['contact.deleted'] };
    const { id: ownWebhook } = await stranger.post('/webhooks', webhook).gives(201);
    const { id: contactId } = await company.post('/contacts', { phone: freshPhone() }).gives(201);
    const { id } = await eventOf(company, start, contactId);
    await areNotFound(stranger, id, [
      ['GET', '/events/:id'],
      ['POST', '/events/:id/deliveries', { webhook_id: ownWebhook }],
    ]);
    await stranger.get(`/events?after=${encodeURIComponent(start)}`).isRefused(422, { code: 'invalid_cursor' });
    const { events } = await stranger.get('/events?limit=100').gives(200);
    expect(JSON.stringify(events).includes(contactId), false, 'whether the foreign contact is among the events');
  }),

  must(25, "No event is sent to another company's webhook.", EVENTS, async (context) => {
    const [company, stranger] = await two(context);
    const receiver = context.sandbox.receiver();
    const webhook = { name: 'Foreign', url: receiver.url, events: ['contact.deleted'] };
    const { id: foreign } = await company.post('/webhooks', webhook).gives(201);
    const { next_cursor: start } = await stranger.get('/events').gives(200);
    const { id: contactId } = await stranger.post('/contacts', { phone: freshPhone() }).gives(201);
    const { id } = await eventOf(stranger, start, contactId);
    const { status } = await stranger.post(`/events/${id}/deliveries`, { webhook_id: foreign });
    expect([404, 422].includes(status), true, `whether it is refused (it was answered with ${status})`);
    expect((await receiver.deliveries()).length, 0, 'the number of deliveries');
  }),

  must(26, "Another company's cursor of the inbox is refused.", INBOX, async (context) => {
    const [company, stranger] = await two(context);
    const { number } = await company.number();
    for (const _ of [1, 2]) await context.sandbox.text(freshPhone(), number, 'Hello');
    const { next_cursor: cursor } = await pageOf(company);
    await company.get(`/inbox?limit=1&cursor=${encodeURIComponent(cursor)}`).gives(200);
    await stranger.get(`/inbox?limit=1&cursor=${encodeURIComponent(cursor)}`).isRefused(422);
  }),
];
