import { systemClock } from '@parley/clock';
import { decided, notFound, Refused, refused } from '@parley/errors';
import { testMongo, uniqueName, waitUntil } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import {
  changed,
  type Contact,
  type ContactFact,
  newContact,
  numbers,
  type Outbox,
  phoneTaken,
  startOutbox,
} from '../../test/start-outbox.ts';
import type { Relay } from '../relay/relay.ts';
import { openAggregates } from './aggregates.ts';

let outbox: Outbox;
beforeAll(async () => void (outbox = await startOutbox()));
afterAll(() => outbox.end());

const company = () => outbox.contacts.of('com_1');
const create = async (details: Parameters<typeof newContact>[0] = {}) => {
  const contact = newContact(details);
  await outbox.contacts.of(contact.companyId).create(decided(contact, ['created']));
  return contact;
};
const stored = (id: string) => outbox.stored.findOne({ _id: id });
const outboxCleared = (id: string) =>
  waitUntil(async () => (await stored(id))?._relay === null, { what: 'the events so far to be out' });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Refused ? error.refusal : error),
  );

describe('an aggregate', () => {
  it('an aggregate is stored with its events in one document', async () => {
    const contact = newContact({ note: 'x' });
    const silent: Relay = { ...outbox.relay, watch: () => ({ publish: async () => 'failed' }) };
    const contacts = await openAggregates<typeof contact, ContactFact>({
      db: outbox.db,
      collection: 'contacts',
      relay: silent,
      clock: { now: () => new Date('2026-03-01T12:00:00Z') },
      encode: (fact) => ({ type: `directory.contact.${fact}`, data: new TextEncoder().encode(fact) }),
    });
    await contacts.of('com_1').create(decided(contact, ['created']));
    await contacts.of('com_1').change(contact.id, changed);
    expect(await stored(contact.id)).toMatchObject({
      _id: contact.id,
      changes: 1,
      note: 'x',
      _version: 2,
      _eventCounts: { contact: 2 },
      _outbox: [
        { type: 'directory.contact.created', sequence: 1, occurredAt: new Date('2026-03-01T12:00:00Z') },
        { type: 'directory.contact.updated', sequence: 2 },
      ],
      _pendingSince: expect.any(Date),
    });
  });

  it('an aggregate is read as it was written, without the bookkeeping', async () => {
    const contact = await create({ note: 'x', tags: ['a'] });
    expect(await company().get(contact.id)).toEqual(contact);
    expect(await company().findOne({ phone: contact.phone })).toEqual(contact);
    expect(await outbox.contacts.acrossCompanies.get(contact.id)).toEqual(contact);
    expect(await outbox.contacts.acrossCompanies.findOne({ phone: contact.phone })).toEqual(contact);
    expect(await Array.fromAsync(company().find({ phone: contact.phone }, { phone: 1 }))).toEqual([contact]);
  });

  it('an aggregate loses a field that a decision leaves out', async () => {
    const contact = await create({ note: 'x' });
    const { note: _, ...without } = contact;
    await company().change(contact.id, () => decided(without, []));
    expect(await company().get(contact.id)).toEqual(without);
  });

  it('an aggregate is not touched by a refusal', async () => {
    const contact = await create();
    expect(await refusalOf(company().change(contact.id, () => refused(phoneTaken)))).toEqual(phoneTaken);
    expect(await refusalOf(company().create(refused(phoneTaken)))).toEqual(phoneTaken);
    expect((await stored(contact.id))?._version).toBe(1);
  });

  it('an aggregate with an event that could never be published is not stored', async () => {
    const contacts = await openAggregates<ReturnType<typeof newContact>, ContactFact>({
      db: outbox.db,
      collection: 'contacts',
      relay: outbox.relay,
      clock: { now: () => new Date() },
      encode: (fact) => ({ type: `directory.contact.${fact}`, data: new Uint8Array(600 * 1024) }),
    });
    const contact = newContact();
    await expect(contacts.of('com_1').create(decided(contact, ['created']))).rejects.toThrow('too large');
    expect(await stored(contact.id)).toBeNull();
  });
});

describe('another company', () => {
  it('another company does not see, find, count, change or delete an aggregate: the answer is that of an unknown id', async () => {
    const contact = await create();
    const other = outbox.contacts.of('com_other');
    expect(await other.get(contact.id)).toBeUndefined();
    expect(await other.findOne({ phone: contact.phone })).toBeUndefined();
    expect(await other.findOne({ phone: contact.phone, companyId: 'com_1' } as never)).toBeUndefined();
    expect(await Array.fromAsync(other.find({}, { phone: 1 }))).toEqual([]);
    expect(await other.count(10)).toBe(0);
    expect(await refusalOf(other.change(contact.id, changed))).toEqual(notFound);
    expect(await refusalOf(other.change('con_unknown', changed))).toEqual(notFound);
    expect(await refusalOf(other.change(contact.id, () => decided(null, ['deleted'])))).toEqual(notFound);
    expect(await company().get(contact.id)).toEqual(contact);
  });

  it('another company cannot be written to by mistake', async () => {
    await expect(company().create(decided(newContact({ companyId: 'com_other' }), []))).rejects.toThrow(
      'another company',
    );
  });
});

describe('a change that is announced', () => {
  const announced = () =>
    openAggregates<Contact, ContactFact>({
      db: outbox.db,
      collection: 'contacts',
      relay: outbox.relay,
      clock: systemClock,
      encode: (fact) => ({ type: `directory.contact.${fact}`, data: new TextEncoder().encode(fact) }),
      announced: true,
    });

  it('a change that is announced is reported as done once its events are published, also when others of the document are being published', async () => {
    const own = (await announced()).of('com_1');
    const contact = newContact();
    await own.create(decided(contact, ['created']));
    for (let count = 1; count <= 3; count++) {
      const events = (await outbox.published()).filter(({ aggregateId }) => aggregateId === contact.id);
      expect(events).toHaveLength(count);
      await own.change(contact.id, changed);
    }
  });
});

describe('concurrent writers', () => {
  it.each([1, 3])(
    'concurrent writers are all applied, fifty at once in %i process(es), and their events in order',
    async (count) => {
      const others = await Promise.all(numbers(count - 1).map(() => outbox.startReplica()));
      const replicas = [outbox.contacts, ...others.map(({ contacts }) => contacts)];
      const contact = await create();
      const writers = numbers(50).map((number) => replicas[number % count]!.of('com_1'));
      await Promise.all(writers.map((writer) => writer.change(contact.id, changed)));
      expect(await company().get(contact.id)).toMatchObject({ changes: 50 });
      expect((await stored(contact.id))?._eventCounts).toEqual({ contact: 51 });
      await waitUntil(async () => (await stored(contact.id))?._outbox.length === 0, { what: 'all to be published' });
      const events = (await outbox.published()).filter(({ aggregateId }) => aggregateId === contact.id);
      expect(events.map(({ aggregateSequence }) => aggregateSequence)).toEqual(numbers(51));
    },
  );

  it('concurrent writers of one process decide in the order they came', async () => {
    const contact = await create();
    await outboxCleared(contact.id);
    const order: number[] = [];
    const writers = numbers(20).map((number) =>
      company().change(contact.id, (current) => {
        order.push(number);
        return changed(current);
      }),
    );
    await Promise.all(writers);
    expect(order.filter((number, index) => number !== order[index - 1])).toEqual(numbers(20));
  });

  it('concurrent writers are not delayed by those that are refused or fail', async () => {
    const contact = await create();
    const outcomes = await Promise.all([
      refusalOf(company().change(contact.id, () => refused(phoneTaken))),
      refusalOf(
        company().change(contact.id, () => {
          throw new Error('a defect');
        }),
      ),
      refusalOf(company().change(contact.id, changed)),
    ]);
    expect(outcomes).toEqual([phoneTaken, new Error('a defect'), undefined]);
    expect(await company().get(contact.id)).toMatchObject({ changes: 1 });
  });

  it('only one of several concurrent writers creates an aggregate with the same unique key: the others are refused', async () => {
    const outcomes = await Promise.all(
      numbers(20).map(() => refusalOf(company().create(decided(newContact({ phone: '+4511111111' }), ['created'])))),
    );
    expect(outcomes.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(outcomes.filter((refusal) => refusal === phoneTaken)).toHaveLength(19);
  });

  it('concurrent writers are refused when a change collides', async () => {
    const [first, second] = [await create(), await create()];
    const take = company().change(second.id, (current) => decided({ ...current, phone: first.phone }, ['updated']));
    expect(await refusalOf(take)).toEqual(phoneTaken);
    expect(await company().get(second.id)).toEqual(second);
  });

  it('a writer gets the error itself without a declared collision', async () => {
    const contact = await create();
    const again = company().create(decided({ ...contact, phone: 'other' }, ['created']));
    await expect(again).rejects.toThrow('E11000');
  });
});

describe('a deleted aggregate', () => {
  const remove = (id: string, events: ContactFact[] = ['deleted']) => company().change(id, () => decided(null, events));

  /** The contacts of a process whose events are not published, so that tombstones stay. */
  const unpublished = () =>
    openAggregates<Contact, ContactFact>({
      db: outbox.db,
      collection: 'contacts',
      relay: { ...outbox.relay, watch: () => ({ publish: async () => 'failed' }) },
      clock: { now: () => new Date() },
      encode: (fact) => ({ type: `directory.contact.${fact}`, data: new TextEncoder().encode(fact) }),
    });

  it('a deleted aggregate is not found immediately, and its document is removed after its last event', async () => {
    const contact = await create();
    expect(await remove(contact.id)).toBeNull();
    expect(await company().get(contact.id)).toBeUndefined();
    expect(await refusalOf(remove(contact.id))).toEqual(notFound);
    await waitUntil(async () => (await stored(contact.id)) === null, { what: 'the tombstone to be removed' });
    const events = (await outbox.published()).filter(({ aggregateId }) => aggregateId === contact.id);
    expect(events.map(({ type }) => type)).toEqual(['directory.contact.created', 'directory.contact.deleted']);
  });

  it('a deleted aggregate is removed although its deletion has no event', async () => {
    const contact = await create();
    await outboxCleared(contact.id);
    await remove(contact.id, []);
    await waitUntil(async () => (await stored(contact.id)) === null, { what: 'the tombstone to be removed' });
  });

  it('a deleted aggregate leaves a tombstone without data that occupies no unique key', async () => {
    const contact = await create({ note: 'private', tags: ['a'] });
    const contacts = await unpublished();
    await outboxCleared(contact.id);
    await contacts.of('com_1').change(contact.id, () => decided(null, ['deleted']));
    const tombstone = await stored(contact.id);
    expect(Object.keys(tombstone ?? {}).filter((name) => !name.startsWith('_'))).toEqual(['companyId']);
    expect(await company().findOne({ phone: contact.phone })).toBeUndefined();
    expect(await create({ phone: contact.phone })).toMatchObject({ phone: contact.phone });
    const second = await create();
    await outboxCleared(second.id);
    await contacts.of('com_1').change(second.id, () => decided(null, []));
    expect(await outbox.stored.countDocuments({ _deleted: true })).toBe(2);
  });

  it('a deleted aggregate is not created again by an upsert while its tombstone waits for the last event', async () => {
    const contact = await create();
    await outboxCleared(contact.id);
    await (await unpublished()).of('com_1').change(contact.id, () => decided(null, ['deleted']));
    let decisions = 0;
    const upserting = company().upsert(contact.id, () => (decisions++, decided(contact, ['created'])));
    expect(await refusalOf(upserting)).toEqual(notFound);
    expect(decisions).toBeLessThan(3);
  });
});

describe('a list of aggregates', () => {
  it('a list of aggregates has the requested order and limit', async () => {
    const companyId = 'com_list';
    for (const phone of ['c', 'a', 'b']) await create({ companyId, phone });
    const own = outbox.contacts.of(companyId);
    const phones = async (limit?: number) =>
      (await Array.fromAsync(own.find({}, { phone: 1 }, limit))).map(({ phone }) => phone);
    expect(await phones()).toEqual(['a', 'b', 'c']);
    expect(await phones(2)).toEqual(['a', 'b']);
    expect(await own.count(10)).toBe(3);
    expect(await own.count(2)).toBe(2);
  });

  it('a list of aggregates of any length is read in small chunks and batches, with pauses between them', async () => {
    const [companyId, count, workMs] = ['com_long', 1000, 3];
    const client = new MongoClient(testMongo().url, { monitorCommands: true });
    const collection = uniqueName('long_list');
    const batches: number[] = [];
    client.on('commandSucceeded', ({ reply }) => {
      const { firstBatch, nextBatch } = (reply as { cursor?: { firstBatch?: []; nextBatch?: [] } }).cursor ?? {};
      if (firstBatch ?? nextBatch) batches.push((firstBatch ?? nextBatch)!.length);
    });
    try {
      const contacts = await openAggregates<Contact, ContactFact>({
        db: client.db(outbox.db.databaseName),
        collection,
        relay: outbox.relay,
        clock: systemClock,
        encode: (fact) => ({ type: `directory.contact.${fact}`, data: new TextEncoder().encode(fact) }),
      });
      const phones = Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'));
      const documents = phones.map((phone) => {
        const { id, ...details } = newContact({ companyId, phone });
        return { _id: id, _deleted: false, ...details };
      });
      await outbox.db.collection<{ _id: string }>(collection).insertMany(documents);
      const own = contacts.of(companyId);

      expect(await Array.fromAsync(own.find({}, { phone: 1 }), ({ phone }) => phone)).toEqual(phones);
      const chunks: string[][] = [];
      const started = performance.now();
      for await (const chunk of own.findInChunks({}, { phone: 1 })) {
        chunks.push(chunk.map(({ phone }) => phone));
        for (const from = performance.now(); performance.now() - from < workMs;);
      }
      expect(chunks.flat()).toEqual(phones);
      expect(performance.now() - started).toBeGreaterThan(1.9 * workMs * (chunks.length - 1));
      expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(50);
      expect(Math.max(...batches)).toBeLessThanOrEqual(100);
      expect(batches.reduce((sum, batch) => sum + batch)).toBe(2 * count);
      expect(await Array.fromAsync(contacts.of('com_nobody').findInChunks({}, { phone: 1 }))).toEqual([]);
    } finally {
      await client.close();
    }
  });
});
