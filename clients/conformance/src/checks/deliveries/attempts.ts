import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { integer, listOf, nullable, text, timestamp } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { DELIVERY, logged, newContact, received, requireSignature, subscribed } from './delivery.ts';

const { must } = checksOf('deliveries');
const DECIDED = { source: 'decisions.md: Webhooks out', profile: 'full' } as const;
const ENVELOPE = { source: 'service-api.md: Webhook deliveries', profile: 'full' } as const;

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

export const attemptChecks: readonly Check[] = [
  must(30, 'The log of a webhook has its deliveries with all attempts.', DECIDED, async (context) => {
    const there = await subscribed(context);
    await newContact(there.company);
    await received(there.receiver);
    await logged(there, {
      ...DELIVERY,
      event: 'contact.created',
      status: 'delivered',
      attempts: [{ status_code: 200 }],
    });
    await there.company
      .get(`${there.path}/deliveries`)
      .gives(200, { deliveries: listOf(DELIVERY), next_cursor: nullable(text) });
  }),

  must(31, 'Any 2xx acknowledges a delivery.', ENVELOPE, async (context) => {
    const there = await subscribed(context);
    await there.receiver.answers([204]);
    await newContact(there.company);
    await logged(there, { status: 'delivered', next_attempt_at: null, attempts: [{ status_code: 204 }] });
  }),

  must(32, 'A delivery that fails is tried again after about five seconds.', DECIDED, async (context) => {
    const there = await subscribed(context);
    await there.receiver.answers([500]);
    await newContact(there.company);
    const entry = await logged(there, {
      status: 'pending',
      next_attempt_at: timestamp,
      attempts: [{ at: timestamp, status_code: 500, duration_ms: integer }],
    });
    const pause = secondsBetween(entry.attempts[0].at, entry.next_attempt_at);
    expectThat(pause > 4 && pause < 8, `the next attempt is ${pause} s after the first one`);
    await there.company.delete(there.path).givesNothing();
  }),

  must(33, 'A redirect is a failure, and is not followed.', DECIDED, async (context) => {
    const there = await subscribed(context);
    const elsewhere = context.sandbox.receiver();
    await there.receiver.answers([{ status: 307, headers: { Location: elsewhere.url } }]);
    await newContact(there.company);
    await logged(there, { status: 'pending', attempts: [{ status_code: 307 }] });
    expect(await elsewhere.deliveries(), [], 'what came at the other address');
    await there.company.delete(there.path).givesNothing();
  }),

  must(34, 'A receiver says with `Retry-After` when the next attempt comes.', DECIDED, async (context) => {
    const there = await subscribed(context);
    await there.receiver.answers([{ status: 503, headers: { 'Retry-After': '600' } }]);
    await newContact(there.company);
    const entry = await logged(there, { status: 'pending', attempts: [{ status_code: 503 }] });
    const pause = secondsBetween(entry.attempts[0].at, entry.next_attempt_at);
    expectThat(pause >= 599 && pause < 720, `the next attempt is ${pause} s after the first one instead of 600 s`);
    await there.company.delete(there.path).givesNothing();
  }),

  must(35, 'A delivery can be sent again by hand, with the same id and body.', DECIDED, async (context) => {
    const there = await subscribed(context);
    const { company, path, receiver, webhook } = there;
    await receiver.answers([{ status: 503, headers: { 'Retry-After': '600' } }, 200]);
    await newContact(company);
    const { id } = await logged(there, { status: 'pending', attempts: [{ status_code: 503 }] });
    await company.post(`${path}/deliveries/${id}/retry`).gives(202);
    const [first, second] = await received(receiver, 2);
    expect(second!.headers['webhook-id'], first!.headers['webhook-id'], 'the id of the second attempt');
    expect(second!.raw_body, first!.raw_body, 'the body of the second attempt');
    requireSignature(second!, webhook.secret);
    await logged(there, { id, status: 'delivered', attempts: [{ status_code: 503 }, { status_code: 200 }] });
  }),

  must(36, 'A paused webhook keeps events as held, and sends them only when asked to.', DECIDED, async (context) => {
    const there = await subscribed(context);
    const { company, path, receiver } = there;
    await company.patch(path, { active: false }).gives(200);
    const held = await newContact(company);
    const { id } = await logged(there, { status: 'held', attempts: [] });
    await company.patch(path, { active: true }).gives(200);
    const later = await newContact(company);
    const [first] = await received(receiver);
    expect(first!.body.data.contact.id, later.id, 'the contact of the first delivery');
    await eventually('the log has both', () =>
      company.get(`${path}/deliveries`).gives(200, { deliveries: [{ status: 'delivered' }, { id, status: 'held' }] }),
    );
    await company.post(`${path}/deliveries/${id}/retry`).gives(202);
    const [, second] = await received(receiver, 2);
    expect(second!.body.data.contact.id, held.id, 'the contact that was held');
  }),

  must(
    37,
    'What was held is sent together when that is asked for.',
    { source: 'partner-kit.md: Event log (paths below `/api/v1`, role admin, as webhooks)', profile: 'full' },
    async (context) => {
      const there = await subscribed(context);
      const { company, path, receiver } = there;
      await company.patch(path, { active: false }).gives(200);
      const contacts = [await newContact(company), await newContact(company), await newContact(company)];
      await eventuallyCount(there, 3);
      await company.patch(path, { active: true }).gives(200);
      const since = new Date(Date.parse(contacts[0].created_at) - 60_000).toISOString();
      await company.post(`${path}/deliveries/retry`, { since }).gives(202, { count: 0 });
      await company.post(`${path}/deliveries/retry`, { since, statuses: ['held'] }).gives(202, { count: 3 });
      const all = await received(receiver, 3);
      const ids = all.map(({ body }) => body.data.contact.id);
      expect(ids.toSorted(), contacts.map(({ id }) => id).toSorted(), 'the contacts that were sent');
    },
  ),

  must(38, 'An unknown delivery is answered with 404.', DECIDED, async (context) => {
    const [one, other] = [await subscribed(context), await subscribed(context)];
    await newContact(one.company);
    const { id } = await logged(one, { status: 'delivered' });
    await one.company.post(`${one.path}/deliveries/dlv_${freshWord()}/retry`).isNotFound();
    // It is another webhook's.
    await one.company.post(`${other.path}/deliveries/${id}/retry`).isNotFound();
  }),

  must(
    39,
    'A delivery is tried six times, and has then failed; a deleted webhook gets no more.',
    { ...DECIDED, alone: true },
    async (context) => {
      const [there, deleted] = [await subscribed(context), await subscribed(context)];
      for (const { receiver } of [there, deleted]) await receiver.answers([500]);
      await newContact(there.company);
      for (const one of [there, deleted]) await received(one.receiver);
      await logged(there, { status: 'pending', attempts: [{ status_code: 500 }] });
      await logged(deleted, { status: 'pending', attempts: [{ status_code: 500 }] });
      await deleted.company.delete(deleted.path).givesNothing();
      // A tenth more than 5 s, 5 min, 30 min, 2 h and 5 h.
      let attempts = 1;
      for (const pause of [6, 332, 1982, 7922, 19_802]) {
        await context.clock.advance(pause);
        attempts += 1;
        const all = await received(there.receiver, attempts);
        expect(all.length, attempts, `how many attempts there are ${pause} s after the one before`);
      }
      const all = await there.receiver.deliveries();
      expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size, 1, 'how many ids six attempts have');
      expect(new Set(all.map(({ raw_body: body }) => body)).size, 1, 'how many bodies six attempts have');
      for (const one of all) requireSignature(one, there.webhook.secret);
      await logged(there, { status: 'failed', attempts: Array.from({ length: 6 }, () => ({ status_code: 500 })) });
      await context.clock.advance(86_400);
      expect((await there.receiver.deliveries()).length, 6, 'how many attempts there are a day later');
      expect((await deleted.receiver.deliveries()).length, 1, 'how often a deleted webhook was called');
      await there.company.get(there.path).gives(200, { active: true });
    },
  ),
];

async function eventuallyCount(
  { company, path }: Awaited<ReturnType<typeof subscribed>>,
  count: number,
): Promise<void> {
  await eventually(`${count} deliveries in the log`, async () => {
    const { deliveries } = await company.get(`${path}/deliveries`).gives(200);
    expect(deliveries.length, count, 'how many there are');
  });
}
