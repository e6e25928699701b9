import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, matching, timestamp } from '../../expectations/shapes.ts';
import { closedNumber } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { logged, newContact, received, requireSignature, subscribed } from './delivery.ts';

const { must } = checksOf('deliveries');
const ENVELOPE = { source: 'service-api.md: Webhook deliveries', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Webhooks out', profile: 'full' } as const;
/** How far the clocks of both sides may be apart, and a delivery may take. */
const TOLERANCE_SECS = 300;

export const deliveryChecks: readonly Check[] = [
  must(1, 'A delivery has the three keys of the envelope and no others.', ENVELOPE, async (context) => {
    const { company, receiver } = await subscribed(context);
    const contact = await newContact(company);
    const [delivery] = await received(receiver);
    expect(delivery!.body, exactly({ event: 'contact.created', timestamp, data: { contact } }), 'the body');
  }),

  must(2, 'A delivery is JSON of a program that says its name.', ENVELOPE, async (context) => {
    const { company, receiver } = await subscribed(context);
    await newContact(company);
    const [delivery] = await received(receiver);
    const headers = {
      'content-type': matching(/^application\/json\b/),
      'user-agent': matching(/^\S+-Webhooks\/1\.0$/),
    };
    expect(delivery!.headers, headers, 'the headers');
  }),

  must(3, 'A delivery is signed with the secret of its webhook.', DECIDED, async (context) => {
    const { company, receiver, webhook } = await subscribed(context);
    await newContact(company);
    const [delivery] = await received(receiver);
    requireSignature(delivery!, webhook.secret);
  }),

  must(4, 'A delivery says when it was signed, in seconds.', DECIDED, async (context) => {
    const { company, receiver } = await subscribed(context);
    await newContact(company);
    const [{ headers, received_at: receivedAt }] = (await received(receiver)) as [any];
    expect(headers['webhook-timestamp'], matching(/^\d{10}$/), 'webhook-timestamp');
    const apart = Math.abs(Number(headers['webhook-timestamp']) - Date.parse(receivedAt) / 1000);
    expectThat(apart < TOLERANCE_SECS, `the delivery was signed ${apart} s from when it came`);
  }),

  must(5, 'After a rotation both secrets sign.', DECIDED, async (context) => {
    const { company, receiver, webhook, path } = await subscribed(context);
    const { secret } = await company.post(`${path}/rotate_secret`).gives(200);
    await newContact(company);
    const [delivery] = await received(receiver);
    requireSignature(delivery!, webhook.secret);
    requireSignature(delivery!, secret);
  }),

  must(6, 'Every delivery has an id of its own, and a webhook has its own secret.', DECIDED, async (context) => {
    const one = await subscribed(context);
    const other = await subscribed(context);
    await newContact(one.company);
    await newContact(one.company);
    const all = [...(await received(one.receiver, 2)), ...(await received(other.receiver, 2))];
    const ids = all.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size, 4, 'how many ids four deliveries have');
    for (const delivery of all.slice(0, 2)) requireSignature(delivery, one.webhook.secret);
    for (const delivery of all.slice(2)) requireSignature(delivery, other.webhook.secret);
  }),

  must(7, 'A webhook gets the events that it names, and no others.', ENVELOPE, async (context) => {
    const { company, receiver } = await subscribed(context, { events: ['contact.deleted'] });
    const { id } = await newContact(company);
    await company.patch(`/contacts/${id}`, { name: 'Else' }).gives(200);
    await company.delete(`/contacts/${id}`).givesNothing();
    const [first] = await received(receiver);
    expect(first!.body, { event: 'contact.deleted', data: { contact: { id, name: 'Else' } } }, 'the first delivery');
  }),

  must(
    8,
    "A webhook gets nothing of another company's.",
    { source: 'service-api.md: What the service does', profile: 'full' },
    async (context) => {
      const another = await context.companies.another();
      const { company, receiver } = await subscribed(context);
      await newContact(another);
      const { id } = await newContact(company);
      const [first] = await received(receiver);
      expect(first!.body.data.contact.id, id, 'the contact of the first delivery');
    },
  ),

  must(9, 'A test event is sent on demand, also while the webhook is paused.', DECIDED, async (context) => {
    const { company, receiver, webhook, path } = await subscribed(context);
    await company.post(`${path}/test`).gives(202);
    const [delivery] = await received(receiver);
    expect(delivery!.body, { event: 'webhook.test', timestamp }, 'the body');
    requireSignature(delivery!, webhook.secret);
    await company.patch(path, { active: false }).gives(200);
    await company.post(`${path}/test`).gives(202);
    await received(receiver, 2);
  }),

  must(10, 'A subscription under an older name gets that name.', ENVELOPE, async (context) => {
    const events = ['call.outside_opening_hours'];
    const { company, receiver } = await subscribed(context, { events });
    const { number, id } = await closedNumber(company);
    await context.sandbox.call(freshPhone(), number);
    const [delivery] = await received(receiver);
    const data = { main_number_id: id, direction: 'inbound' };
    expect(delivery!.body, { event: 'call.outside_opening_hours', data }, 'the body');
  }),

  must(
    11,
    'A delivery names the event of the log.',
    { source: 'partner-kit.md: Event log (paths below `/api/v1`, role admin, as webhooks)', profile: 'full' },
    async (context) => {
      const there = await subscribed(context);
      await newContact(there.company);
      const [delivery] = await received(there.receiver);
      const id = delivery!.headers['parley-event-id'];
      expect(id, matching(/^evt_/), 'Parley-Event-Id');
      const event = await there.company.get(`/events/${id}`).gives(200);
      expect(event, { id, ...delivery!.body }, 'the event of the log');
      await logged(there, { event: 'contact.created', event_id: id });
    },
  ),
];
