import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { type MovableClock, movableClock, trackBackgroundWork } from '@parley/clock';
import type { Event } from '@parley/events';
import { create } from '@bufbuild/protobuf';
import { RetentionChangedSchema } from '@parley/proto/directory/v1/retention_events_pb';
import { startTelemetry } from '@parley/telemetry';
import { testMongo, waitUntil } from '@parley/testkit';
import type { Db } from 'mongodb';
import { type RetentionTarget, type RetentionStep, startRetention } from './start-retention.ts';

const mongo = testMongo();
afterAll(() => mongo.close());
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
const DAY_MS = 24 * 3600 * 1000;

type Retention = Awaited<ReturnType<typeof startRetention>>;
const started: Retention[] = [];
afterEach(async () => {
  for (const retention of started.splice(0)) await retention.stop();
});
let db: Db;
let clock: MovableClock;
beforeEach(() => {
  db = mongo.database();
  clock = movableClock();
});

/** Removes texts of before the cutoff, two at a time, as long as it is allowed to. */
class Texts {
  ages = new Map<string, number>();
  readonly asked: (RetentionTarget & { after: string })[] = [];
  allowed = Infinity;
  readonly step = {
    name: 'texts',
    erase: async (subject: RetentionTarget, after: string) => {
      this.asked.push({ ...subject, after });
      if (this.asked.length > this.allowed) throw new Error('broken');
      const until = subject.cutoffs.messages;
      const over = [...this.ages].filter(([, days]) => until && Date.now() - days * DAY_MS <= until.getTime());
      for (const [id] of over.slice(0, 2)) this.ages.delete(id);
      return {
        removed: Math.min(over.length, 2),
        ...(over.length > 2 ? { next: String(over.length) } : { mark: 'end' }),
      };
    },
  };
}

async function start(texts: Texts, ...further: RetentionStep[]): Promise<Retention> {
  const backgroundWork = trackBackgroundWork();
  const parts = { db, clock, backgroundWork, telemetry, relay: undefined };
  const retention = await startRetention(parts, [texts.step, ...further]);
  started.push(retention);
  return retention;
}

const change = (retention: Retention, messagesDays?: number, companyId = 'com_1') =>
  retention.onChanged(
    create(RetentionChangedSchema, { settings: messagesDays === undefined ? {} : { messagesDays } }),
    { companyId } as Event,
  );
const runOf = (companyId = 'com_1') =>
  db.collection<{ _id: string; removed: number; position: string; doneAt: Date | null }>('retention_runs').findOne({
    _id: companyId,
  });
const whenDone = (companyId?: string) =>
  waitUntil(async () => (await runOf(companyId))?.doneAt, { what: 'the end of the removal' });

it('retention removes what is older in portions, and what becomes older when the clock moves', async () => {
  const texts = new Texts();
  texts.ages = new Map([['a', 5], ['b', 4], ['c', 3], ['new', 0]]); // prettier-ignore
  const retention = await start(texts);
  await change(retention, 2);
  await whenDone();
  expect([...texts.ages.keys()]).toEqual(['new']);
  expect(texts.asked.map(({ after }) => after)).toEqual(['', '3']);
  expect(await runOf()).toMatchObject({ removed: 3, position: '', marks: { texts: 'end' } });
  clock.setOffsetMs(3 * DAY_MS);
  await waitUntil(() => texts.ages.size === 0, { what: 'the last text to be removed' });
  expect(texts.asked.at(-1)).toMatchObject({ companyId: 'com_1', marks: { texts: 'end' } });
});

it('a run of retention is continued by another process where it was, and by the company’s own settings', async () => {
  const texts = new Texts();
  for (let n = 0; n < 7; n++) texts.ages.set(`old ${n}`, 9);
  texts.allowed = 2;
  const first = await start(texts);
  await change(first, 5);
  await change(first, 3650, 'com_2');
  await waitUntil(() => texts.asked.filter(({ companyId }) => companyId === 'com_1').length > 1, { what: 'an error' });
  await first.stop();
  const { position } = (await runOf()) ?? {};
  expect(position).toMatch(/^texts\/\d$/);
  await db.collection('retention_runs').updateMany({}, { $unset: { _dueLease: '' } });
  const next = new Texts();
  next.ages = texts.ages;
  await start(next);
  await whenDone();
  expect(next.ages.size).toBe(0);
  expect(`texts/${next.asked.find(({ companyId }) => companyId === 'com_1')?.after}`).toBe(position);
});

it('settings that change during a run are applied at once to records that were already checked', async () => {
  const texts = new Texts();
  texts.ages = new Map([['old', 9], ['newer', 4]]); // prettier-ignore
  const retention: Retention = await start(texts, {
    name: 'calls',
    async erase(_subject, after) {
      if (after !== '' || texts.asked.length > 1) return { removed: 0 };
      await change(retention, 2);
      return { removed: 0, next: 'middle' };
    },
  });
  await change(retention, 5);
  await waitUntil(() => texts.ages.size === 0, { what: 'the newer text to be removed' });
});

it('a run of retention does nothing while everything is kept forever', async () => {
  const texts = new Texts();
  texts.ages.set('old', 5000);
  const retention = await start(texts);
  await change(retention);
  await waitUntil(
    async () => (await runOf()) && !(await db.collection('retention_runs').findOne({ due: { $ne: null } })),
    {
      what: 'nothing to be planned',
    },
  );
  expect(texts.asked).toEqual([]);
});
