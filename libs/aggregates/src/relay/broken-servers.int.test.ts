import { decided } from '@parley/errors';
import { decodeEvent, encodeEvent } from '@parley/events';
import { type OwnMongo, type OwnNats, ownMongo, ownNats, waitUntil } from '@parley/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import { changed, newContact, numbers, type Outbox, startOutbox } from '../../test/start-outbox.ts';

let outbox: Outbox | undefined;
let nats: OwnNats | undefined;
let mongo: OwnMongo | undefined;
afterEach(async () => {
  const ended = outbox?.end();
  await ended?.catch(() => undefined);
  await Promise.all([nats?.close(), mongo?.close()]);
  outbox = nats = mongo = undefined;
  await ended;
});

const createMany = async ({ contacts }: Outbox, count: number) => {
  const all = numbers(count).map(() => newContact());
  for (const contact of all) await contacts.of('com_1').create(decided(contact, ['created']));
  return all.map(({ id }) => id);
};
/** A log that takes a while to be republished, with earlier entries at its end. */
async function logOlderEvents({ db }: Outbox, count: number): Promise<void> {
  const log = db.collection<{ _id: string; at: Date; envelope: Binary }>('event_log');
  const [example] = await log.find().toArray();
  const older = numbers(count).map((n) => {
    const event = { ...decodeEvent(example!.envelope.buffer), id: `older ${n}`, aggregateId: `older ${n}` };
    return { _id: event.id, at: new Date(Date.now() - 60_000), sequence: 1, envelope: new Binary(encodeEvent(event)) };
  });
  await log.insertMany(older);
}

const allPublished = ({ stored }: Outbox) =>
  waitUntil(async () => !(await stored.findOne({ _pendingSince: { $exists: true } })), {
    what: 'every event to be published',
  });

describe('a broker that is away', () => {
  it('a broker that is away delays no change, and receives everything in order when it is reachable again', async () => {
    nats = await ownNats();
    outbox = await startOutbox({ nats });
    const [id = ''] = await createMany(outbox, 1);
    await allPublished(outbox);
    await nats.kill();
    for (let i = 0; i < 10; i++) await outbox.contacts.of('com_1').change(id, changed);
    await nats.start();
    await allPublished(outbox);
    expect((await outbox.published()).map((event) => event.aggregateSequence)).toEqual(numbers(11));
  });
});

describe('a broker that loses its disk', () => {
  it('a broker that loses its disk in the middle of traffic costs nothing: every event is applied once, in order', async () => {
    const own = (nats = await ownNats());
    const running = (outbox = await startOutbox({ nats }));
    const { applied, count, backgroundWork } = await running.follow();
    const ids = await createMany(running, 10);
    let lost = Promise.resolve();
    const loseDisk = async () => {
      await own.wipe();
      await own.start();
    };
    for (let made = 0; made < 290; made++) {
      if (made === 100 || made === 200) lost = lost.then(loseDisk);
      await running.contacts.of('com_1').change(ids[made % ids.length] ?? '', changed);
    }
    await lost;
    await allPublished(running);

    await waitUntil(() => count() >= 300, { what: 'every event to be applied' });
    await waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'the follower to be done' });
    expect(applied).toEqual(Object.fromEntries(ids.map((id) => [id, numbers(30)])));
  });

  it('a broker that loses its disk is republished from the log before any new event', async () => {
    nats = await ownNats();
    outbox = await startOutbox({ nats });
    const running = outbox;
    const [id = ''] = await createMany(running, 1);
    await running.contacts.of('com_1').change(id, changed);
    await allPublished(running);
    await logOlderEvents(running, 3000);
    await nats.wipe();
    await running.contacts.of('com_1').change(id, changed);
    running.broker.onReconnect(() => void running.contacts.of('com_1').change(id, changed));
    await nats.start();
    await waitUntil(async () => (await running.contacts.of('com_1').get(id))?.changes === 3, {
      what: 'the last change',
    });
    await allPublished(running);
    const own = (await running.published()).filter(({ aggregateId }) => aggregateId === id);
    expect(own.map((event) => event.aggregateSequence)).toEqual(numbers(4));
    expect(outbox.lines.some((line) => line.includes('the stream is new'))).toBe(true);
  });

  it('a broker that loses its disk, or its stream, under a relay that is connected, is filled as soon as something cannot be published', async () => {
    nats = await ownNats();
    const running = (outbox = await startOutbox({ nats }));
    const [id = ''] = await createMany(running, 1);
    await allPublished(running);
    await running.broker.manager.streams.delete(running.broker.stream('directory'));
    await running.contacts.of('com_1').change(id, changed);
    await waitUntil(async () => (await running.published()).length === 2, { what: 'a whole stream' });
    expect((await running.published()).map((event) => event.aggregateSequence)).toEqual([1, 2]);
  });
});

describe('a MongoDB that is killed in the middle', () => {
  it('a MongoDB that is killed in the middle loses no acknowledged change, applies none twice, and publishes every one', async () => {
    const own = (mongo = await ownMongo());
    const running = (outbox = await startOutbox({ mongoUrl: own.url }));
    const ids = await createMany(running, 6);
    let made = 0;
    let killing: Promise<void> | undefined;
    const killAndStart = async () => {
      await own.kill();
      await own.start();
    };
    const writer = async (id: string) => {
      for (let i = 0; i < 15; i++) {
        await running.contacts.of('com_1').change(id, changed);
        if (++made === 60) killing = killAndStart();
      }
    };
    await Promise.all(ids.flatMap((id) => [writer(id), writer(id)]));
    await killing;
    expect(made).toBe(180);
    for (const id of ids) expect(await running.contacts.of('com_1').get(id)).toMatchObject({ changes: 30 });
    await allPublished(running);
    const published = await running.published();
    for (const id of ids)
      expect(published.filter((event) => event.aggregateId === id).map((event) => event.aggregateSequence)).toEqual(
        numbers(31),
      );
  });
});
