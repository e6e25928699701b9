import { decided } from '@parley/errors';
import { decodeMessage } from '@parley/events';
import { explainCommand, waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import { changed, type Contacts, newContact, numbers, type Outbox, startOutbox } from '../../test/start-outbox.ts';
import { unclaimedPending } from './pending-documents.ts';

let outbox: Outbox;
afterEach(() => outbox.end());

const create = async (contacts: Contacts = outbox.contacts) => {
  const contact = newContact();
  await contacts.of('com_1').create(decided(contact, ['created']));
  return contact;
};
const pending = () => outbox.stored.countDocuments({ _pendingSince: { $exists: true } });
const allPublished = () => waitUntil(async () => (await pending()) === 0, { what: 'every event to be published' });
const numbersOf = async (id: string) =>
  (await outbox.published()).filter(({ aggregateId }) => aggregateId === id).map((event) => event.aggregateSequence);

/** A document as left by a process that crashed right after its write. */
const left = (details: object = {}) => ({
  _id: `con_${Math.random()}`,
  companyId: 'com_1',
  phone: `${Math.random()}`,
  _version: 1,
  _eventCounts: { contact: 1 },
  _outbox: [
    {
      id: `evt_${Math.random()}`,
      type: 'directory.contact.created',
      sequence: 1,
      occurredAt: new Date(),
      traceparent: null,
      data: new Binary(new Uint8Array([1])),
    },
  ],
  _pendingSince: new Date(),
  _relay: null,
  _stamps: [],
  _deleted: false,
  ...details,
});

describe.each([
  ['cached', 100],
  ['not cached', 0],
])('the relay of documents that are %s', (_, recentMax) => {
  beforeEach(async () => void (outbox = await startOutbox({ recentMax })));

  it('the relay publishes what was written, records it and clears it', async () => {
    const contact = await create();
    await outbox.contacts.of('com_1').change(contact.id, changed);
    await allPublished();
    const events = await outbox.published();
    expect(events).toMatchObject([
      { type: 'directory.contact.created', companyId: 'com_1', aggregateId: contact.id, aggregateSequence: 1 },
      { type: 'directory.contact.updated', companyId: 'com_1', aggregateId: contact.id, aggregateSequence: 2 },
    ]);
    const { contact: published } = decodeMessage('directory.contact.updated', events[1]?.data ?? new Uint8Array());
    expect(published?.name).toBe('updated');
    const log = await outbox.db.collection<{ _id: string }>('event_log').find().sort({ at: 1 }).toArray();
    expect(log.map(({ _id }) => _id)).toEqual(events.map(({ id }) => id));
    const stored = await outbox.stored.findOne({ _id: contact.id });
    expect(stored).toMatchObject({ _outbox: [], _relay: null });
    expect(stored).not.toHaveProperty('_pendingSince');
  });

  it('the relay also publishes what is written while it publishes, and leaves nothing to the sweep', async () => {
    await create();
    await allPublished();
    await outbox.relay.stop(); // there is no sweep any more
    const contact = await create();
    for (let i = 0; i < 30; i++) await outbox.contacts.of('com_1').change(contact.id, changed);
    await allPublished();
    expect(await numbersOf(contact.id)).toEqual(numbers(31));
  });

  it('a document is not left with an event that was added while another process finished', async () => {
    // One connection, so that what the decision sends is done before its write.
    const narrow = await startOutbox({ connections: 1, recentMax });
    const busy = { _relay: { owner: 'other', until: new Date(Date.now() + 20_000) } };
    const document = left(busy);
    await narrow.db.collection('contacts').insertOne(document as never);
    await waitUntil(async () => (await narrow.backgroundWork.report()).busy === 1, { what: 'the relay to be idle' });
    await narrow.relay.stop(); // there is no sweep any more
    const finished = { $set: { _relay: null, _outbox: [] }, $unset: { _pendingSince: '' } };
    let decisions = 0;
    await narrow.contacts.of('com_1').change(document._id, (current) => {
      if (++decisions === 1) void narrow.stored.updateOne({ _id: document._id } as never, finished as never);
      return changed(current);
    });
    await waitUntil(async () => (await narrow.published()).length === 1, { what: 'the event' });
    expect(decisions).toBe(2);
    await narrow.end();
  });

  it('the relay takes over what a crashed process wrote and did not publish', async () => {
    const document = left();
    await outbox.db.collection('contacts').insertOne(document as never);
    await allPublished();
    expect(await numbersOf(document._id)).toEqual([1]);
  });

  it('the relay takes over from a crashed process when its lease has expired', async () => {
    const until = new Date(Date.now() + 700);
    const document = left({ _relay: { owner: 'dead', until } });
    await outbox.db.collection('contacts').insertOne(document as never);
    await allPublished();
    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
    expect(await numbersOf(document._id)).toEqual([1]);
  });

  it('the relay removes the tombstone that a process left, after its events', async () => {
    const [said, silent] = [left({ _deleted: true }), left({ _deleted: true, _outbox: [] })];
    await outbox.db.collection('contacts').insertMany([said, silent] as never);
    await waitUntil(async () => (await outbox.stored.countDocuments()) === 0, { what: 'no tombstone' });
    expect(await numbersOf(said._id)).toEqual([1]);
  });

  it('the relay takes over more than fits into one sweep', async () => {
    await outbox.db.collection('contacts').insertMany(Array.from({ length: 250 }, () => left()) as never);
    await allPublished();
    expect(await outbox.published()).toHaveLength(250);
  });

  it('the relay counts pending events as background work', async () => {
    const { backgroundWork } = outbox;
    const document = left({ _relay: { owner: 'other', until: new Date(Date.now() + 60_000) } });
    await outbox.db.collection('contacts').insertOne(document as never);
    expect((await backgroundWork.report()).busy).toBeGreaterThan(0);
    await outbox.stored.updateOne({ _id: document._id }, { $set: { '_relay.until': new Date(0) } });
    await allPublished();
    await waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'no work in progress' });
  });

  it('the relay finds what was left behind by its index alone', async () => {
    const documents = Array.from({ length: 300 }, () => left({ _outbox: [] }));
    for (const document of documents) delete (document as { _pendingSince?: Date })._pendingSince;
    await outbox.db.collection('contacts').insertMany(documents as never);
    const busy = left({ _relay: { owner: 'other', until: new Date(Date.now() + 20_000) } });
    await outbox.db.collection('contacts').insertOne(busy as never);
    const filter = unclaimedPending(new Date());
    const plan = await explainCommand(outbox.db, { find: 'contacts', filter, limit: 200 });
    expect(plan).toMatchObject({ index: 'pending', isUnindexed: false, docsExamined: 1 });
    await outbox.stored.deleteOne({ _id: busy._id });
  });

  it('the relay deletes logged events after thirty days', async () => {
    const log = outbox.db.collection<{ _id: string; at: Date }>('event_log');
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);
    await log.insertMany([
      { _id: 'old', at: daysAgo(31) },
      { _id: 'young', at: daysAgo(29) },
    ]);
    await outbox.startReplica();
    await waitUntil(async () => (await log.countDocuments()) === 1, { what: 'the old one to be deleted' });
    expect(await log.findOne()).toMatchObject({ _id: 'young' });
    await log.deleteMany({});
  });

  it('the relay has published the events in progress when it has stopped', async () => {
    await create();
    await allPublished(); // the stream has been looked at
    await Promise.all(numbers(20).map(() => create()));
    await outbox.relay.stop();
    expect(await pending()).toBe(0);
    expect(await outbox.published()).toHaveLength(21);
  });
});

describe.each([
  ['cached', 100],
  ['not cached', 0],
])('two relays of one service, of documents that are %s', (_, recentMax) => {
  beforeEach(async () => void (outbox = await startOutbox({ recentMax })));

  it('two relays of one service never publish out of order within an aggregate', async () => {
    const { contacts: elsewhere } = await outbox.startReplica(await outbox.connect());
    const contacts = await Promise.all(numbers(8).map(() => create()));
    await Promise.all(
      contacts.flatMap(({ id }) =>
        numbers(12).map((n) => (n % 2 ? outbox.contacts : elsewhere).of('com_1').change(id, changed)),
      ),
    );
    await allPublished();
    for (const { id } of contacts) expect(await numbersOf(id)).toEqual(numbers(13));
  });

  it('two relays of one service publish within half a second what one adds to a document whose published events the other has not removed yet', async () => {
    const { contacts: elsewhere } = await outbox.startReplica(await outbox.connect());
    const contact = await create();
    await waitUntil(async () => (await numbersOf(contact.id)).length === 1, { what: 'the first event' });
    await elsewhere.of('com_1').change(contact.id, changed);
    const addedAt = performance.now();
    await waitUntil(async () => (await numbersOf(contact.id)).length === 2, { what: 'the second event' });
    expect(performance.now() - addedAt).toBeLessThan(500);
  });
});
