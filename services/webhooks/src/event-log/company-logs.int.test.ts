import { afterAll, describe, expect, it } from '@jest/globals';
import type { Clock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import { openCompanyLogs } from './company-logs.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const DAY_MS = 24 * 3_600_000;
const began = new Date('2026-03-01T12:00:00Z');
let now = began;
const clock: Clock = { now: () => now };
const afterDays = (days: number) => new Date(began.getTime() + days * DAY_MS);

async function openLogs() {
  now = began;
  const db = mongo.database();
  return { logs: await openCompanyLogs(db, clock), other: await openCompanyLogs(db, clock) };
}

describe('the log of a company', () => {
  it('the log of a company begins with its first use, once, and is known to other processes when that is answered', async () => {
    const { logs, other } = await openLogs();
    expect(await other.recording('com_1')).toBeUndefined();
    const [first, second] = await Promise.all([logs.used('com_1'), other.used('com_1')]);
    expect(second).toEqual(first);
    expect(await other.recording('com_1')).toEqual(first.recording);
    expect(await other.recording('com_2')).toBeUndefined();
  });

  it('the log of a company ends 30 days after its last use, unless a webhook needs it', async () => {
    const { logs, other } = await openLogs();
    const { recording } = await logs.used('com_read');
    await logs.used('com_webhook');
    now = afterDays(20);
    // Written down at most once an hour.
    await other.used('com_read');
    now = afterDays(31);
    const isNeeded = async (companyId: string) => companyId === 'com_webhook';
    expect(await logs.endUnused(isNeeded)).toEqual([]);
    now = afterDays(51);
    expect(await logs.endUnused(isNeeded)).toEqual([recording]);
    expect(await logs.areThere([recording])).toEqual([false]);
    now = afterDays(61);
    // As if it had been used when it was found to be needed.
    expect(await logs.endUnused(async () => false)).toEqual([]);
    now = afterDays(62);
    expect(await logs.endUnused(async () => false)).toMatchObject([{ companyId: 'com_webhook' }]);
    const again = await logs.used('com_read');
    expect(again.recording.epoch).not.toBe(recording.epoch);
    expect(again.recordedSince).toEqual(now);
    expect(await logs.areThere([recording, again.recording])).toEqual([false, true]);
  });

  it('the log of a company that is used while it is about to end does not end', async () => {
    const { logs, other } = await openLogs();
    await logs.used('com_1');
    now = afterDays(31);
    const isNeeded = async () => {
      await other.begin('com_1');
      return false;
    };
    expect(await logs.endUnused(isNeeded)).toEqual([]);
    expect(await logs.recording('com_1')).toBeDefined();
  });

  it('the log of a company has what happens after a clock that went back', async () => {
    const { logs } = await openLogs();
    now = afterDays(7);
    await logs.used('com_1');
    now = began;
    await logs.pullBack(now);
    const { recording, recordedSince } = await logs.used('com_1');
    expect([recording.eventsFrom, recordedSince]).toEqual([began, began]);
  });
});
