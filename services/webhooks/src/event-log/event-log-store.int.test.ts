import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Clock } from '@parley/clock';
import { encryptor } from '@parley/secrets';
import { startTelemetry } from '@parley/telemetry';
import { type CrashMoment, crashingDb, testMongo } from '@parley/testkit';
import type { Db } from 'mongodb';
import { type EventLogStore, openEventLogStore } from './event-log-store.ts';
import { readPage } from './read-page.ts';
import type { LogKey } from './segment.ts';

const mongo = testMongo();
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
afterAll(async () => {
  await telemetry.stop();
  await mongo.close();
});

const encryption = encryptor(randomBytes(32).toString('base64'));
const log: LogKey = { companyId: 'com_1', epoch: 1 };
const keptFrom = new Date(0);
const BEGINNING = { segment: 0, index: 0 };

let now = new Date('2026-03-01T12:00:00Z');
const clock: Clock = { now: () => now };
const open = (db: Db, eventsMax = 5_000_000) =>
  openEventLogStore({ db, encryption, clock, eventsMax, onAppended: () => {}, telemetry });

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `evt_${from + n}`);

/** Stores events and gives them their places, as the fan-out does. */
async function record(store: EventLogStore, ids: readonly string[], body = 'x'): Promise<void> {
  const contents = await Promise.all(
    ids.map((id) =>
      store.store({
        id,
        companyId: log.companyId,
        event: 'contact.created',
        subject: 'con_1:contact',
        occurredAt: now,
        recordedAt: now,
        body: `{"event":"contact.created","body":"${body} ${id}"}`,
      }),
    ),
  );
  await store.append({ log, events: contents });
}

async function readAll(store: EventLogStore, types?: ReadonlySet<string>): Promise<string[]> {
  const ids: string[] = [];
  let at = BEGINNING;
  for (;;) {
    const page = await readPage(store, log, { at, types, limit: 100, keptFrom });
    if ('oldest' in page) throw new Error('expired');
    ids.push(...page.events.map(({ id }) => id));
    at = page.next;
    if (!page.hasMore) return ids;
  }
}

describe('the store of an event log', () => {
  it.each<CrashMoment>(['before', 'after'])(
    'the store of an event log has each event once, in order, when a process ends %s any of its writes and the events come again',
    async (moment) => {
      let hasDied = true;
      for (let nth = 1; hasDied; nth += 1) {
        const db = mongo.database();
        const survivor = await open(db);
        // The last places of a segment, so that the batch also begins another one.
        await record(survivor, numbered(0, 498));
        const mortal = crashingDb(db, nth, moment);
        const batch = numbered(498, 504);
        await record(await open(mortal.db), batch).catch(() => undefined);
        hasDied = mortal.isDead();
        await record(survivor, batch);
        await record(await open(db), numbered(490, 506));
        expect(await readAll(survivor)).toEqual(numbered(0, 506));
      }
    },
    60_000,
  );

  it('the store of an event log keeps what was stored first, and gives an emptied event no content again', async () => {
    const store = await open(mongo.database());
    await record(store, ['evt_1', 'evt_2'], 'first');
    await record(store, ['evt_1'], 'second');
    await store.empty(['evt_2']);
    await record(store, ['evt_2'], 'second');
    const page = await readPage(store, log, { at: BEGINNING, limit: 10, keptFrom });
    expect(page).toMatchObject({
      events: [{ id: 'evt_1', body: expect.stringContaining('first evt_1') }],
      next: { segment: 0, index: 2, after: 'evt_2' },
      hasMore: false,
    });
  });

  it('the store of an event log never gives an event a time before the one in front of it', async () => {
    const store = await open(mongo.database());
    await record(store, ['evt_1']);
    now = new Date(now.getTime() - 60_000);
    await record(store, ['evt_2']);
    now = new Date(now.getTime() + 60_000);
    const part = await store.part(log, 0, 0, 10);
    expect(part?.entries.map(({ at }) => at)).toEqual([now, now]);
  });

  it('the store of an event log removes the oldest events of a company that has too many', async () => {
    const store = await open(mongo.database(), 1000);
    await record(store, numbered(0, 1000));
    expect((await readAll(store)).length).toBe(1000);
    await record(store, numbered(1000, 1001));
    const page = await readPage(store, log, { at: BEGINNING, limit: 10, keptFrom });
    expect(page).toEqual({ oldest: { segment: 1, index: 0 } });
    expect(store.open((await store.content(log.companyId, 'evt_0'))!)).toBeNull();
    // They are still recognised.
    await record(store, numbered(0, 3));
    const end = await store.end(log);
    expect(end).toMatchObject({ number: 2, count: 1 });
  });

  it('the store of an event log removes segments once a later one is old enough, and what a log that is gone has left', async () => {
    const store = await open(mongo.database());
    const began = now;
    await record(store, numbered(0, 600));
    now = new Date(began.getTime() + 1000);
    await record(store, numbered(600, 1100));
    now = began;
    await store.removeExpired(began, async (logs) => logs.map(() => true));
    expect(await store.part(log, 0, 0, 1)).toBeDefined();
    await store.removeExpired(new Date(began.getTime() + 500), async (logs) => logs.map(() => true));
    expect(await store.part(log, 0, 0, 1)).toBeUndefined();
    expect(await store.part(log, 1, 0, 1)).toBeDefined();
    await store.removeExpired(new Date(began.getTime() + 500), async (logs) => logs.map(() => false));
    expect(await store.end(log)).toBeUndefined();
  });

  it('the store of an event log finds rare types without looking at segments that have none', async () => {
    const store = await open(mongo.database());
    await record(store, numbered(0, 2600));
    const rare = { id: 'evt_rare', companyId: log.companyId, event: 'call.ended' as const, subject: 'cal_1:call' };
    const stored = await store.store({ ...rare, occurredAt: now, recordedAt: now, body: '{"event":"call.ended"}' });
    await store.append({ log, events: [stored] });
    const types = new Set(['call.ended']);
    const first = await readPage(store, log, { at: BEGINNING, types, limit: 10, keptFrom });
    expect(first).toMatchObject({ events: [{ id: 'evt_rare' }], hasMore: false });
    const none = await readPage(store, log, { at: BEGINNING, types: new Set(['call.lost']), limit: 10, keptFrom });
    expect(none).toMatchObject({ events: [], hasMore: false, next: { segment: 5, index: 101 } });
  });

  it('the store of an event log does not go on at a position that it has lost to a restored backup', async () => {
    const store = await open(mongo.database());
    await record(store, numbered(0, 10));
    const lost = { segment: 0, index: 10, after: 'evt_9999' };
    const oldest = { segment: 0, index: 0 };
    expect(await readPage(store, log, { at: lost, limit: 10, keptFrom })).toEqual({ oldest });
    expect(await readPage(store, log, { at: { ...lost, index: 11 }, limit: 10, keptFrom })).toEqual({ oldest });
    expect(await readPage(store, log, { at: { segment: 1, index: 0 }, limit: 10, keptFrom })).toEqual({ oldest });
    const known = { ...lost, after: 'evt_9' };
    expect(await readPage(store, log, { at: known, limit: 10, keptFrom })).toMatchObject({ events: [], next: known });
    await record(store, numbered(10, 12));
    expect(await readPage(store, log, { at: lost, limit: 10, keptFrom })).toEqual({ oldest });
    expect(await readPage(store, log, { at: known, limit: 10, keptFrom })).toMatchObject({
      events: [{ id: 'evt_10' }, { id: 'evt_11' }],
    });
  });
});
