import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { type TestMongo, testMongo } from '@parley/testkit';
import type { Db } from 'mongodb';
import { openThrottles, type Throttles } from './throttle-store.ts';

const LIMIT = { max: 5, windowSecs: 60 };
const clock = movableClock({ now: () => new Date('2030-01-01T00:00:00Z') });
let mongo: TestMongo;
let throttles: Throttles;
let db: Db;
beforeAll(async () => {
  mongo = testMongo();
  db = mongo.database('throttles');
  throttles = await openThrottles(db, clock);
});
afterAll(() => mongo.close());

const allowed = async (what: string[]) => (await throttles.consume(what, LIMIT)).allowed;

describe('a rolling limit', () => {
  it('a rolling limit allows exactly the limit under concurrency', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => allowed(['parallel'])));
    expect(answers.filter(Boolean)).toHaveLength(5);
  });

  it('a rolling limit counts attempts that took the time in another order than they arrive in', async () => {
    let tick = 0;
    const jumpy = { now: () => new Date(Date.parse('2030-01-01T00:00:00Z') + ((tick += 7919) % 1000)) };
    const shared = await openThrottles(mongo.database('throttles'), jumpy);
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => (await shared.consume(['jumpy'], LIMIT)).allowed),
    );
    expect(answers.filter(Boolean)).toHaveLength(5);
  });

  it('a rolling limit allows another attempt as each leaves the window, and reports when', async () => {
    for (let secs = 0; secs < 5; secs++) {
      clock.setOffsetMs(secs * 10_000);
      expect(await allowed(['rolling'])).toBe(true);
    }
    expect(await throttles.consume(['rolling'], LIMIT)).toEqual({ allowed: false, retryAfterSecs: 20 });
    clock.setOffsetMs(60_000);
    expect([await allowed(['rolling']), await allowed(['rolling'])]).toEqual([true, false]);
    clock.setOffsetMs(0);
  });

  it('a rolling limit does not count withdrawn or cleared attempts', async () => {
    const first = await throttles.consume(['mine'], LIMIT);
    await throttles.withdraw(first);
    for (let n = 0; n < 5; n++) expect(await allowed(['mine'])).toBe(true);
    expect(await allowed(['mine'])).toBe(false);
    await throttles.clear(['mine']);
    expect(await allowed(['mine'])).toBe(true);
  });

  it('a rolling limit does not block after the clock was moved back', async () => {
    clock.setOffsetMs(3_600_000);
    for (let n = 0; n < 5; n++) await allowed(['back']);
    clock.setOffsetMs(0);
    expect(await allowed(['back'])).toBe(true);
  });

  it('a rolling limit keeps no address in clear', async () => {
    await throttles.consume(['address', '192.0.2.77'], LIMIT);
    const stored = JSON.stringify(await db.collection('throttles').find().toArray());
    expect(stored).not.toContain('192.0.2.77');
  });
});
