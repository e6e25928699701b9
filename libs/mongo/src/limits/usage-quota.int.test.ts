import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type MovableClock, movableClock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import { openUsageQuota, type UsageQuota } from './usage-quota.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const HOUR_MS = 3600_000;

describe('a usage quota', () => {
  let clock: MovableClock;
  let quota: UsageQuota;
  beforeEach(async () => {
    clock = movableClock({ now: () => new Date('2026-03-01T12:00:00Z') });
    const db = mongo.database('usage_quota');
    quota = await openUsageQuota({ db, collection: 'characters', max: 100, windowMs: HOUR_MS, clock });
  });

  it('a usage quota is used up by amounts, each key for itself', async () => {
    expect(await quota.take('a', 60)).toBe(true);
    expect(await quota.take('a', 41)).toBe(false);
    expect(await quota.take('a', 40)).toBe(true);
    expect(await quota.take('a', 1)).toBe(false);
    expect(await quota.take('b', 100)).toBe(true);
    expect(await quota.take('c', 101)).toBe(false);
  });

  it('a usage quota is never exceeded under concurrency', async () => {
    const taken = await Promise.all(Array.from({ length: 50 }, () => quota.take('a', 3)));
    expect(taken.filter(Boolean)).toHaveLength(33);
  });

  it('a usage quota is available again in the next window, and windows that have ended expire', async () => {
    expect(await quota.take('a', 100)).toBe(true);
    clock.setOffsetMs(quota.msUntilNextWindow());
    expect(await quota.take('a', 100)).toBe(true);
    expect(await quota.collection.countDocuments(quota.expired())).toBe(0);
    clock.setOffsetMs(3 * HOUR_MS);
    expect(await quota.collection.countDocuments(quota.expired())).toBeGreaterThan(0);
  });
});
