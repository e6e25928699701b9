import { randomBytes } from 'node:crypto';
import { trackBackgroundWork } from '@parley/clock';
import { newId } from '@parley/secrets';
import { createLog } from '@parley/telemetry';
import { explainCommand, testMongo } from '@parley/testkit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eventLogMigration, openEventLog } from './event-log.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const event = (aggregateId: string, aggregateSequence: number) => ({
  id: newId('evt'),
  type: 'directory.contact.updated',
  companyId: 'com_1',
  aggregateId,
  aggregateSequence,
  occurredAt: new Date('2026-03-01T12:00:00Z'),
  traceparent: undefined,
  data: new Uint8Array([1]),
});

describe('the event log', () => {
  it('the event log keeps events as they are, in the order of each aggregate', async () => {
    const log = await openEventLog(mongo.database('log'));
    const events = [event('a', 1), event('a', 2), event('b', 1)];
    await log.add(events.slice(0, 2).reverse());
    await log.add(events.slice(2));
    const kept = await Array.fromAsync(log.since(new Date(0)));
    expect(kept.filter(({ aggregateId }) => aggregateId === 'a')).toEqual(events.slice(0, 2));
    expect(kept).toHaveLength(3);
    expect(await Array.fromAsync(log.since(new Date(Date.now() + 1000)))).toEqual([]);
  });

  it('the event log keeps an event once, however often it is added, and adds the others', async () => {
    const log = await openEventLog(mongo.database('log'));
    const [first, second] = [event('a', 1), event('a', 2)];
    await log.add([first]);
    await log.add([first, second]);
    expect(await Array.fromAsync(log.since(new Date(0)))).toEqual([first, second]);
  });

  it.each([
    ['a long text, in much less space', Buffer.from('The customer asks for a delivery on Monday. '.repeat(900)), 4000],
    ['what cannot be compressed, as it is', randomBytes(40_000), 41_000],
  ])('the event log keeps %s', async (_what, data, bytesMax) => {
    const log = await openEventLog(mongo.database('log'));
    const large = { ...event('a', 1), data: new Uint8Array(data) };
    await log.add([event('a', 2), large]);
    const kept = await Array.fromAsync(log.since(new Date(0)));
    expect(kept.map(({ data: bytes }) => Buffer.from(bytes))).toEqual([data, Buffer.from([1])]);
    const stored = await log.collection.findOne({ _id: large.id });
    expect(stored?.envelope.length()).toBeLessThan(bytesMax);
  });

  it('the event log removes the events of a company that fit, and leaves the others', async () => {
    const db = mongo.database('log');
    const log = await openEventLog(db);
    const others = [event('b', 1), { ...event('a', 1), companyId: 'com_2' }];
    const large = { ...event('a', 2), data: new Uint8Array(Buffer.from('Ane '.repeat(5000))) };
    await log.add([event('a', 1), large, ...others]);
    expect(await log.remove('com_1', '', async ({ aggregateId }) => aggregateId === 'a')).toBeUndefined();
    const left = await Array.fromAsync(log.since(new Date(0)));
    expect(left.map(({ id }) => id).sort()).toEqual(others.map(({ id }) => id).sort());
    const filter = { companyId: 'com_1', _id: { $gt: '' } };
    const plan = await explainCommand(db, {
      find: log.collection.collectionName,
      filter,
      sort: { _id: 1 },
      hint: 'company',
    });
    expect(plan).toMatchObject({ index: 'company', isUnindexed: false });
  });

  it('the event log of an earlier version has the company of each event after its migration', async () => {
    const db = mongo.database('log');
    const log = await openEventLog(db);
    const large = { ...event('a', 2), data: new Uint8Array(Buffer.from('Ane '.repeat(5000))) };
    await log.add([event('a', 1), large, { ...event('b', 1), companyId: 'com_2' }]);
    await log.collection.updateMany({}, { $unset: { companyId: '' } });
    await eventLogMigration.run(db);
    await eventLogMigration.run(db);
    expect(await log.collection.countDocuments({ companyId: 'com_1' })).toBe(2);
    expect(await log.collection.countDocuments({ companyId: 'com_2' })).toBe(1);
  });

  it('the event log reads the last minutes by its index', async () => {
    const db = mongo.database('log');
    const log = await openEventLog(db);
    const silent = createLog({ service: 'test', level: 'silent' });
    const expiry = await log.startExpiry({ everyMs: 60_000, backgroundWork: trackBackgroundWork(), log: silent });
    await expiry.stop();
    await log.add([event('a', 1)]);
    const { collectionName } = log.collection;
    const filter = { at: { $gte: new Date() } };
    const plan = await explainCommand(db, { find: collectionName, filter, sort: { at: 1 } });
    expect(plan).toMatchObject({ index: 'at', isUnindexed: false });
  });
});
