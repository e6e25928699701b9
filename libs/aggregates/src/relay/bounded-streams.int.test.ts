import { decided } from '@parley/errors';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { changed, newContact, numbers, type Outbox, startOutbox } from '../../test/start-outbox.ts';
import { openPublishBudget } from './outbox-publisher.ts';

let outbox: Outbox | undefined;
let nats: OwnNats | undefined;
afterEach(async () => {
  await outbox?.end();
  await nats?.close();
  outbox = nats = undefined;
});

const createIn = async ({ contacts }: Outbox, companyId: string) => {
  const contact = newContact({ companyId });
  await contacts.of(companyId).create(decided(contact, ['created']));
  return contact.id;
};
const publishedOf = async (running: Outbox, id: string) =>
  (await running.published()).filter(({ aggregateId }) => aggregateId === id).map((event) => event.aggregateSequence);

/** What is missing for too long is applied behind later events. */
const sorted = (sequences: readonly number[]) => sequences.toSorted((a, b) => a - b);

describe('a company that publishes more than its budget', () => {
  it('a company that publishes more than its budget waits, in order, and another company does not', async () => {
    const limits = { eventsBurst: 5, eventsPerSec: 10, bytesBurst: 1_000_000, bytesPerSec: 1_000_000 };
    let elapsedMs = 0;
    const running = (outbox = await startOutbox({ budget: openPublishBudget(limits, () => elapsedMs) }));
    const busy = await createIn(running, 'com_busy');
    for (const _ of numbers(15)) await running.contacts.of('com_busy').change(busy, changed);
    const quiet = await createIn(running, 'com_quiet');
    await waitUntil(async () => (await publishedOf(running, quiet)).length === 1, { what: 'the other company' });
    expect((await publishedOf(running, busy)).length).toBeLessThan(16);
    elapsedMs = 1000;
    await waitUntil(async () => (await publishedOf(running, busy)).length === 16, {
      what: 'the rest',
    });
    expect(await publishedOf(running, busy)).toEqual(numbers(16));
  });
});

describe('a stream that is full', () => {
  it('a stream that is full takes new events, and a follower that was away gets the discarded ones from the log', async () => {
    nats = await ownNats();
    const running = (outbox = await startOutbox({ nats, streamBytesMax: 20_000 }));
    const first = await running.follow();
    const early = await createIn(running, 'com_quiet');
    await waitUntil(() => first.count() === 1, { what: 'the first event' });
    await first.stop();
    await running.contacts.of('com_quiet').change(early, changed);
    const busy = await createIn(running, 'com_busy');
    for (const _ of numbers(150)) await running.contacts.of('com_busy').change(busy, changed);
    const late = await createIn(running, 'com_quiet');
    await waitUntil(async () => (await publishedOf(running, late)).length === 1, { what: 'the last event' });
    expect(await publishedOf(running, early)).toEqual([]);
    const { config, state } = await running.broker.manager.streams.info(running.broker.stream('directory'));
    expect(config).toMatchObject({ max_bytes: 20_000, max_msgs: 1_000_000, discard: 'old' });
    expect(state.bytes).toBeLessThanOrEqual(20_000);
    const second = await running.follow();
    // Together they do not fit into the stream.
    await waitUntil(() => second.count() === 1 + 151 + 1, { what: 'all events', timeoutMs: 100_000 });
    const applied = Object.fromEntries(
      Object.entries(second.applied).map(([id, sequences]) => [id, sorted(sequences)]),
    );
    expect(applied).toEqual({ [early]: [2], [busy]: numbers(151), [late]: [1] });
  });

  it('a follower that ends while it gets discarded events again gets the rest at its next start', async () => {
    nats = await ownNats();
    const running = (outbox = await startOutbox({ nats, streamBytesMax: 20_000 }));
    const first = await running.follow();
    const early = await createIn(running, 'com_quiet');
    await waitUntil(() => first.count() === 1, { what: 'the first event' });
    await first.stop();
    for (const _ of numbers(300)) await running.contacts.of('com_quiet').change(early, changed);
    await waitUntil(async () => (await publishedOf(running, early)).includes(301), { what: 'the last event' });
    const second = await running.follow();
    await waitUntil(() => second.count() > 0, { what: 'some of the events' });
    await second.stop();
    const third = await running.follow();
    await waitUntil(() => second.count() + third.count() === 300, { what: 'the rest', timeoutMs: 100_000 });
    expect(sorted([...(second.applied[early] ?? []), ...(third.applied[early] ?? [])])).toEqual(numbers(301).slice(1));
  });
});

describe('a broker that was unreachable for longer than its duplicate window', () => {
  it('a broker that was unreachable for longer than its duplicate window gets again what it lost shortly before, however long ago that was', async () => {
    nats = await ownNats();
    const running = (outbox = await startOutbox({ nats }));
    const id = await createIn(running, 'com_1');
    await running.contacts.of('com_1').change(id, changed);
    await waitUntil(async () => (await publishedOf(running, id)).length === 2, { what: 'both events' });
    await waitUntil(async () => running.db.collection('relay_streams').findOne(), { what: 'the stream to be noted' });
    // The power cut lost the last event, three hours ago.
    await running.broker.manager.streams.deleteMessage(running.broker.stream('directory'), 2);
    await nats.kill();
    const threeHoursAgo = new Date(Date.now() - 3 * 3600_000);
    await running.db.collection('event_log').updateMany({}, { $set: { at: threeHoursAgo } });
    await running.db.collection('relay_streams').updateMany({}, { $set: { seenAt: threeHoursAgo } });
    await nats.start();
    await waitUntil(async () => (await publishedOf(running, id)).includes(2), {
      what: 'the lost event',
    });
    const { applied, count } = await running.follow();
    await waitUntil(() => count() === 2, { what: 'a follower to have both' });
    expect(applied[id]).toEqual([1, 2]);
  }, 60_000);
});

describe('events that are removed', () => {
  it('events that are removed are in the stream and in the log no more, and later ones are followed', async () => {
    const running = (outbox = await startOutbox({}));
    const [gone, kept] = [await createIn(running, 'com_1'), await createIn(running, 'com_2')];
    await waitUntil(async () => (await publishedOf(running, kept)).length === 1, { what: 'the events' });
    const { removal } = running.relay;
    const fits = async () => true;
    await waitUntil(async () => !(await removal.isPending('com_1', fits)), { what: 'nothing to be pending' });
    expect(await removal.fromLog('com_1', '', fits)).toBeUndefined();
    expect(await removal.fromStream('com_1', 1, fits)).toBeUndefined();
    expect(await publishedOf(running, gone)).toEqual([]);
    expect(await publishedOf(running, kept)).toEqual([1]);
    expect(await running.db.collection('event_log').countDocuments({ companyId: 'com_1' })).toBe(0);
    await running.contacts.of('com_1').change(gone, changed);
    const { applied } = await running.follow();
    await waitUntil(() => applied[gone]?.includes(2) && applied[kept]?.includes(1), { what: 'the later event' });
    expect(applied[gone]).toEqual([2]);
  }, 60_000);
});
