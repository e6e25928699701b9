import { createContextKey, context, ROOT_CONTEXT } from '@opentelemetry/api';
import { movableClock, trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { explainCommand, testMongo, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Collection, Db } from 'mongodb';
import { dueIn } from '@parley/errors';
import { type DueDocument, dueIndex, type DueWork, type DueWorkOptions, startDueWork } from './due-work.ts';

interface Reminder extends DueDocument {
  done: number;
}

const MINUTE_MS = 60_000;
const mongo = testMongo();
const lines: string[] = [];
const logDestination = { write: (line: string) => void lines.push(line) };
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'info', logDestination });
afterAll(() => Promise.all([mongo.close(), telemetry.stop()]));

let db: Db;
let reminders: Collection<Reminder>;
let clock: ReturnType<typeof movableClock>;
const running: DueWork[] = [];

beforeEach(async () => {
  lines.length = 0;
  clock = movableClock();
  db = mongo.database('due');
  reminders = db.collection('reminders');
  await reminders.createIndexes([{ ...dueIndex }]);
});
afterEach(async () => void (await Promise.all(running.splice(0).map((work) => work.stop()))));

const plan = (_id: string, waitMs: number) =>
  reminders.insertOne({ _id, done: 0, due: dueIn(clock.now(), waitMs), dueLease: null });

/** Records that it was done, as a handler should: guarded by its lease, in the write that changes `due`. */
const finish = (doc: Reminder, lease: string) =>
  reminders.updateOne(
    { _id: doc._id, 'dueLease.owner': lease },
    { $set: { due: null, dueLease: null }, $inc: { done: 1 } },
  );

function start(options: Partial<DueWorkOptions<Reminder>> = {}) {
  const backgroundWork = trackBackgroundWork();
  const work = startDueWork<Reminder>({
    name: 'reminders',
    collection: reminders,
    clock,
    backgroundWork,
    log: telemetry.log,
    concurrency: 4,
    leaseMs: 10_000,
    pollMs: 20,
    handle: async (doc, lease) => void (await finish(doc, lease)),
    ...options,
  });
  running.push(work);
  return { work, backgroundWork };
}

const timesDone = async () =>
  Object.fromEntries((await reminders.find().sort({ _id: 1 }).toArray()).map(({ _id, done }) => [_id, done]));

let later: { mockRestore(): void } | undefined;
/** Makes a process be at rest, shortly before its next look. */
function rest(): void {
  const now = performance.now.bind(performance);
  const shiftMs = 60_000 - (now() % 15_000) - 300;
  later = jest.spyOn(performance, 'now').mockImplementation(() => now() + shiftMs);
}
afterEach(() => later?.mockRestore());

describe('due work at rest', () => {
  it('due work at rest costs a part of one command while nothing is due', async () => {
    await plan('later', MINUTE_MS);
    const { work } = start();
    rest();
    const [polls, queries] = [jest.spyOn(reminders, 'aggregate'), jest.spyOn(reminders, 'findOne')];
    await waitUntil(() => polls.mock.calls.length === 1, { what: 'a poll' });
    await work.stop();
    const [polledAs = 0] = polls.mock.invocationCallOrder;
    expect(queries.mock.invocationCallOrder.filter((order) => order > polledAs)).toEqual([]);
  });

  it('due work at rest is done on time if another process has planned it before the look', async () => {
    start();
    rest();
    await plan('soon', 1000);
    await waitUntil(async () => (await timesDone())['soon'] === 1, { what: 'it to be done', timeoutMs: 5000 });
  });
});

describe('due work', () => {
  it('due work is done when its time has come, and not before', async () => {
    await plan('past', -1000);
    await plan('future', MINUTE_MS);
    await plan('now', 0);
    start();
    await waitUntil(async () => (await reminders.countDocuments({ done: 1 })) === 2, { what: 'two to be done' });
    expect(await timesDone()).toEqual({ future: 0, now: 1, past: 1 });
  });

  it('due work is done once, however many workers share a collection', async () => {
    for (let i = 0; i < 60; i++) await plan(`r${String(i).padStart(2, '0')}`, -i);
    const handled: string[] = [];
    const handle = async (doc: Reminder, lease: string) => {
      handled.push(doc._id);
      await finish(doc, lease);
    };
    start({ handle });
    start({ handle });
    start({ handle });
    await waitUntil(async () => (await reminders.countDocuments({ done: 0 })) === 0, { what: 'all to be done' });
    expect(handled).toHaveLength(60);
    expect(new Set(handled).size).toBe(60);
  });

  it('due work is taken up in the order it came due, so many at a time', async () => {
    for (const [id, secs] of Object.entries({ c: 1, a: 3, b: 2 })) await plan(id, -1000 * secs);
    const order: string[] = [];
    let now = 0;
    let most = 0;
    const handle = async (doc: Reminder, lease: string) => {
      order.push(doc._id);
      most = Math.max(most, ++now);
      await finish(doc, lease);
      now--;
    };
    start({ handle, concurrency: 1 });
    await waitUntil(() => order.length === 3, { what: 'all three' });
    expect(order).toEqual(['a', 'b', 'c']);
    expect(most).toBe(1);
  });

  it('due work is polled at once by pollNow', async () => {
    const { work } = start({ pollMs: 60_000 });
    for (let i = 0; i < 20; i++) {
      await plan(`${i}`, 0);
      work.pollNow();
      await waitUntil(async () => (await reminders.countDocuments({ done: 0 })) === 0, { what: `${i} to be done` });
    }
  });

  it('due work that fails is logged, and repeated when its lease has expired', async () => {
    await plan('a', 0);
    let tries = 0;
    const { work } = start({
      leaseMs: 60_000,
      handle: async (doc, lease) => {
        if (++tries === 1) throw new Error('the first time');
        await finish(doc, lease);
      },
    });
    const logged = () => lines.some((line) => line.includes('the first time') && line.includes('"id":"a"'));
    await waitUntil(logged, { what: 'the failure to be logged' });
    await plan('another', 0);
    await waitUntil(async () => (await timesDone())['another'] === 1, { what: 'work that came later' });
    expect(tries).toBe(2);
    expect(await timesDone()).toEqual({ a: 0, another: 1 });
    await reminders.updateOne({ _id: 'a' }, { $set: { 'dueLease.until': new Date(0) } });
    work.pollNow();
    await waitUntil(async () => (await timesDone())['a'] === 1, { what: 'the second try' });
    expect(tries).toBe(3);
  });

  it('due work of a crashed process is taken over when its lease has expired', async () => {
    await plan('a', 0);
    const until = new Date(Date.now() + 150);
    await reminders.updateOne({ _id: 'a' }, { $set: { dueLease: { owner: 'dead', until } } });
    start();
    await waitUntil(async () => (await timesDone())['a'] === 1, { what: 'the takeover' });
    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
  });

  it('due work is chosen by `take` where order is not enough', async () => {
    for (const id of ['a', 'b', 'c']) await plan(id, 0);
    start({
      async take(claimable, dueLease) {
        const filter = { $and: [claimable, { _id: { $in: ['b', 'c'] } }] };
        const chosen = await reminders.find(filter).toArray();
        await reminders.updateMany(filter, { $set: { dueLease } });
        return chosen;
      },
    });
    await waitUntil(async () => (await reminders.countDocuments({ done: 1 })) === 2, { what: 'b and c to be done' });
    expect(await timesDone()).toEqual({ a: 0, b: 1, c: 1 });
  });

  it('due work is independent of the request that triggered it', async () => {
    const key = createContextKey('deadline');
    const seen: unknown[] = [];
    const { work } = start({
      pollMs: 60_000,
      handle: async (doc, lease) => {
        seen.push(context.active().getValue(key));
        await finish(doc, lease);
      },
    });
    await waitUntil(async () => (await plan('a', 0)).acknowledged, { what: 'a plan' });
    context.with(ROOT_CONTEXT.setValue(key, 'of a request'), () => work.pollNow());
    await waitUntil(() => seen.length === 1, { what: 'the work' });
    expect(seen).toEqual([undefined]);
  });
});

describe('due work and a clock that is moved', () => {
  it('due work is done as soon as a clock that is moved has passed its time', async () => {
    await plan('a', 10 * MINUTE_MS);
    const { backgroundWork } = start({ pollMs: 60_000 });
    clock.setOffsetMs(10 * MINUTE_MS);
    await clock.moved();
    await waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'the work to settle' });
    expect(await timesDone()).toEqual({ a: 1 });
  });

  it('due work counts as busy from the move of the clock until it is done, and an idle look counts as nothing', async () => {
    await plan('a', MINUTE_MS);
    let release = () => {};
    const { backgroundWork } = start({
      handle: async (doc, lease) => {
        await new Promise<void>((resolve) => (release = resolve));
        await finish(doc, lease);
      },
    });
    const idle = await backgroundWork.report();
    expect(idle).toEqual({ busy: 0, finished: 0 });
    clock.setOffsetMs(MINUTE_MS);
    expect((await backgroundWork.report()).busy).toBeGreaterThan(0);
    await waitUntil(async () => (release(), (await backgroundWork.report()).busy === 0), {
      what: 'the work to settle',
    });
    expect(await timesDone()).toEqual({ a: 1 });
    expect((await backgroundWork.report()).finished).toBe(1);
  });

  it('due work waits no longer than intended when the clock is moved back', async () => {
    clock.setOffsetMs(600 * MINUTE_MS);
    await plan('in a minute', MINUTE_MS);
    await plan('at once', 0);
    const soon = new Date(Date.now() + MINUTE_MS / 2);
    await reminders.insertOne({ _id: 'sooner', done: 0, due: { at: soon, waitMs: MINUTE_MS } });
    start({ take: async () => [] }); // only the plans are looked at here
    clock.setOffsetMs(0);
    await clock.moved();
    const atOf = async (_id: string) => (await reminders.findOne({ _id }))?.due?.at.getTime();
    const now = Date.now();
    expect(await atOf('in a minute')).toBeLessThanOrEqual(now + MINUTE_MS);
    expect(await atOf('in a minute')).toBeGreaterThan(now + MINUTE_MS / 2);
    expect(await atOf('at once')).toBeLessThanOrEqual(now);
    expect(await atOf('sooner')).toBe(soon.getTime());
  });

  it('times that due work in progress schedules are adjusted when the clock is moved back meanwhile', async () => {
    clock.setOffsetMs(600 * MINUTE_MS);
    await plan('a', 0);
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    start({
      handle: async (doc, lease) => {
        const due = dueIn(clock.now(), MINUTE_MS);
        begun.resolve();
        await release.promise;
        await reminders.updateOne({ _id: doc._id, 'dueLease.owner': lease }, { $set: { due, dueLease: null } });
      },
    });
    await begun.promise;
    clock.setOffsetMs(0);
    await clock.moved();
    release.resolve();
    const soon = { 'due.at': { $gt: clock.now(), $lt: new Date(Date.now() + 2 * MINUTE_MS) }, dueLease: null };
    await waitUntil(() => reminders.findOne(soon), { what: 'the plan to be pulled back' });
  });
});

describe('stopping due work', () => {
  it('stopping due work waits for work in progress, and takes no more', async () => {
    await plan('a', -2);
    await plan('b', -1);
    let release = () => {};
    let begun = 0;
    const { work } = start({
      concurrency: 1,
      handle: async (doc, lease) => {
        begun++;
        await new Promise<void>((resolve) => (release = resolve));
        await finish(doc, lease);
      },
    });
    await waitUntil(() => begun === 1, { what: 'the first to begin' });
    let stopped = false;
    const stopping = work.stop().then(() => (stopped = true));
    work.pollNow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stopped).toBe(false);
    release();
    await stopping;
    expect(await timesDone()).toEqual({ a: 1, b: 0 });
  });
});

describe('the claim of due work', () => {
  it('the claim of due work reads what is due from its index, in order, and nothing that is not', async () => {
    await reminders.insertMany(
      Array.from({ length: 500 }, (_, i) => ({ _id: `${i}`, done: 1, due: null, dueLease: null })),
    );
    for (let i = 0; i < 20; i++) await plan(`later ${i}`, MINUTE_MS);
    await plan('now', -1);
    let filter = {};
    start({ take: async (claimable) => ((filter = claimable), []) });
    const claimPlan = await explainCommand(db, { find: 'reminders', filter, sort: { 'due.at': 1 }, limit: 1 });
    expect(claimPlan).toMatchObject({ index: 'due', isUnindexed: false, docsExamined: 1 });
  });
});
