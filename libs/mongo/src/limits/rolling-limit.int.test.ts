import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import type { Db } from 'mongodb';
import { openRollingLimit } from './rolling-limit.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const MINUTE_MS = 60_000;
const start = new Date('2026-03-01T12:00:00Z');

describe('a rolling limit', () => {
  let db: Db;
  let clock: ReturnType<typeof movableClock>;
  const open = () => openRollingLimit({ db, collection: 'limits', max: 30, windowMs: MINUTE_MS, clock });
  beforeEach(() => {
    db = mongo.database('limits');
    clock = movableClock({ now: () => start });
  });

  it('a rolling limit allows exactly its limit under concurrency of two replicas', async () => {
    const replicas = [await open(), await open()];
    const taken = await Promise.all(Array.from({ length: 100 }, (_, index) => replicas[index % 2]!.take('com_a')));
    expect(taken.filter(Boolean)).toHaveLength(30);
  });

  it('a rolling limit keeps keys apart', async () => {
    const limit = await open();
    for (let count = 0; count < 30; count++) await limit.take('com_a');
    expect(await limit.take('com_a')).toBe(false);
    expect(await limit.take('com_b')).toBe(true);
  });

  it('a rolling limit allows exactly the limit of each key when many are taken at once in two replicas', async () => {
    const replicas = [await open(), await open()];
    const keys = ['com_a', 'com_b', 'com_c'];
    for (const key of keys) await replicas[0]!.take(key);
    const taken = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const key = keys[index % 3]!;
        return (await replicas[index % 2]!.take(key)) ? key : 'none';
      }),
    );
    for (const key of keys) expect(taken.filter((one) => one === key)).toHaveLength(29);
  });

  it('a rolling limit counts a mark of an id once, also together with marks of other keys', async () => {
    const limit = await open();
    for (const key of ['com_a', 'com_b']) await limit.take(key);
    for (let count = 0; count < 3; count++)
      expect(await Promise.all([limit.take('com_a', 'msg_1'), limit.take('com_b', `msg_b${count}`)])).toEqual([
        true,
        true,
      ]);
    const stored = await limit.collection.findOne({ _id: 'com_a' });
    expect(stored?.marks.filter(({ id }) => id === 'msg_1')).toHaveLength(1);
    expect(stored?.marks).toHaveLength(2);
  });

  it('a rolling limit gives each place back a window after it was taken, and not before', async () => {
    const limit = await open();
    await limit.take('com_a');
    clock.setOffsetMs(30_000);
    for (let count = 0; count < 29; count++) await limit.take('com_a');
    clock.setOffsetMs(MINUTE_MS - 1);
    expect(await limit.take('com_a')).toBe(false);
    clock.setOffsetMs(MINUTE_MS);
    expect([await limit.take('com_a'), await limit.take('com_a')]).toEqual([true, false]);
  });

  it('a rolling limit counts what has an id once, however often it is counted', async () => {
    const limit = await open();
    const taken = await Promise.all(Array.from({ length: 100 }, () => limit.take('com_a', 'msg_1')));
    expect(taken.every(Boolean)).toBe(true);
    const others = await Promise.all(Array.from({ length: 40 }, () => limit.take('com_a')));
    expect(others.filter(Boolean)).toHaveLength(29);
    expect(await limit.take('com_a', 'msg_1')).toBe(true);
  });

  it('a rolling limit does not count what was refused', async () => {
    const limit = await open();
    for (let count = 0; count < 60; count++) await limit.take('com_a');
    clock.setOffsetMs(MINUTE_MS);
    const again = await Promise.all(Array.from({ length: 40 }, () => limit.take('com_a')));
    expect(again.filter(Boolean)).toHaveLength(30);
  });

  it('a rolling limit is not stuck in the future when the clock is moved back', async () => {
    const limit = await open();
    clock.setOffsetMs(10 * MINUTE_MS);
    for (let count = 0; count < 30; count++) await limit.take('com_a');
    expect(await limit.take('com_a')).toBe(false);
    clock.setOffsetMs(0);
    expect(await limit.take('com_a')).toBe(true);
  });

  it('a rolling limit counts the marks of a replica whose clock is a little ahead', async () => {
    const limit = await open();
    clock.setOffsetMs(40);
    for (let count = 0; count < 30; count++) await limit.take('com_a');
    clock.setOffsetMs(0);
    expect(await limit.take('com_a')).toBe(false);
  });

  it('a rolling limit matches the documents that are no longer needed', async () => {
    const limit = await open();
    await limit.take('com_a');
    expect(await limit.collection.countDocuments(limit.expired())).toBe(0);
    clock.setOffsetMs(2 * MINUTE_MS);
    expect(await limit.collection.countDocuments(limit.expired())).toBe(1);
  });
});
