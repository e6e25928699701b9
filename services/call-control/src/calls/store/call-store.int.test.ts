import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { OPEN_STATES } from '../model/call.ts';
import { queuePositions } from '../model/queue-position.ts';
import { type Calls, openCalls } from './call-store.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';

const mongo = testMongo();
const db = mongo.database();
let calls: Calls;
const CALLS = 300;

/** Many calls of one company, ended, to two numbers from ten people; and a waiting one. */
beforeAll(async () => {
  calls = await openCalls({ db, relay: idleRelay(), clock: systemClock });
  for (let i = 0; i < CALLS; i++) {
    const test = inbound(transfer(ada));
    test.hangUp();
    const tagged = i % 3 === 0 ? { tagListKeys: ['vip|||', 'vip|num_1||'] } : {};
    await create(test.call, i, { from: `+452000000${i % 10}`, isOpen: false, ...tagged });
  }
  await create(inbound(transfer(ada)).call, CALLS, {});
}, 60_000);
afterAll(() => mongo.close());

async function create(call: ReturnType<typeof inbound>['call'], index: number, change: object): Promise<void> {
  const startedAt = new Date(Date.parse('2026-03-01T00:00:00Z') + index * 1000);
  const state = { ...call, ...change, id: `cal_${index}`, startedAt, legIds: [`leg-${index}`] };
  const { from } = state;
  const listKeys = call.listKeys.map((key) => key.replace(call.from, from));
  const created = { ...state, listKeys, remoteNumber: from };
  await calls.of('com_1').create({ ok: true, state: created, events: [], commands: [], timers: {} });
}

/** The index of a query, whether it sorts in memory, and how many documents it examines. */
async function cost(filter: object, sort: Record<string, 1 | -1> = {}) {
  const { index, isUnindexed, docsExamined } = await documentQueryPlan(db, 'calls', filter, { sort });
  return { index, isUnindexed, documents: docsExamined };
}

const NEWEST = { startedAt: -1, _id: -1 } as const;

describe('the queries of calls', () => {
  it.each(['||', 'num_1||', '|inbound|', '||+4520000003', 'num_1|inbound|+4520000003'])(
    'the queries of calls list %s newest first and look at no more than they answer with',
    async (listKeys) => {
      expect(await cost({ companyId: 'com_1', listKeys }, NEWEST)).toEqual({
        index: 'list',
        isUnindexed: false,
        documents: 10,
      });
    },
  );

  it.each(['vip|||', 'vip|num_1||', { $in: ['older|||', 'vip|||'] }])(
    'the queries of calls list those with a tag newest first and look at no more than they answer with: %j',
    async (tagListKeys) => {
      const plan = await cost({ companyId: 'com_1', tagListKeys }, NEWEST);
      expect(plan).toEqual({ index: 'tagged', isUnindexed: false, documents: 10 });
      const filter = { tagKeys: ['older', 'vip'], numberId: 'num_1' };
      expect((await calls.list('com_1', filter, 2)).map(({ id }) => id)).toEqual(['cal_297', 'cal_294']);
      expect(await calls.listIds('com_1', filter, 2)).toEqual(['cal_297', 'cal_294']);
    },
  );

  it.each([
    ['leg', { legIds: 'leg-300', isOpen: true }],
    ['leg', { legIds: { $in: ['leg-300', 'leg-unknown'] }, isOpen: true }],
    ['switch', { 'switch.name': 'one', isOpen: true }],
    ['waiting', { 'phase.kind': 'waiting', isOpen: true }],
    ['waiting_for', { companyId: 'com_1', waitingFor: ada.id, isOpen: true }],
    ['offered_to', { companyId: 'com_1', offeredTo: ada.id, isOpen: true }],
    ['active_for', { companyId: 'com_1', activeFor: ada.id, isOpen: true }],
    ['open_by_state', { companyId: 'com_1', state: { $in: ['queued', 'transferring'] }, isOpen: true }],
    ['open_by_state', { companyId: 'com_1', state: { $in: OPEN_STATES }, isOpen: true }],
  ])('the queries of calls find by %s among open calls only', async (index, filter) => {
    const { documents, ...found } = await cost(filter);
    expect(found.index).toBe(index);
    expect(documents).toBeLessThanOrEqual(1);
  });

  it.each([
    ['waiting', { 'phase.kind': 'waiting', waitingFor: { $gt: '' }, isOpen: true }],
    ['waiting_for', { companyId: 'com_1', waitingFor: ada.id, isOpen: true }],
  ])('the queries of calls find by %s in the order of arrival without sorting', async (index, filter) => {
    expect(await cost(filter, { queuedAt: 1 })).toMatchObject({ index, isUnindexed: false });
  });

  it('the queries of calls filter by state, number, direction and remote number together', async () => {
    const list = async (filter: Parameters<Calls['list']>[1], limit = 50) =>
      (await calls.list('com_1', filter, limit)).map(({ id }) => id);
    expect(await list({ state: 'queued' })).toEqual(['cal_300']);
    expect(await list({ state: 'ended' }, 2)).toEqual(['cal_299', 'cal_298']);
    expect(await list({ remoteNumber: '+4520000003', direction: 'inbound' }, 2)).toEqual(['cal_293', 'cal_283']);
    expect(await list({ numberId: 'num_2' })).toEqual([]);
    expect(await calls.list('com_2', {}, 50)).toEqual([]);
  });

  it('the queries of calls give all of a company, oldest first, for a backfill', async () => {
    const pages = await Array.fromAsync(calls.allOf('com_1'));
    expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: CALLS + 1 }, (_, n) => `cal_${n}`));
    expect(await Array.fromAsync(calls.allOf('com_2'))).toEqual([]);
    expect(await cost({ companyId: 'com_1', listKeys: '||' }, { startedAt: 1, _id: 1 })).toMatchObject({
      isUnindexed: false,
    });
  });

  it('the queries of calls give the records of a time, newest first, page by page of the index', async () => {
    const at = (second: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + second * 1000);
    const idsOf = async (filter: Parameters<Calls['recordsOf']>[1], companyId = 'com_1') =>
      (await Array.fromAsync(calls.recordsOf(companyId, filter))).map((page) => page.map(({ id }) => id));
    const pages = await idsOf({ startedAfter: at(10), startedBefore: at(CALLS - 1) });
    expect(pages.map(({ length }) => length)).toEqual([200, CALLS - 10 - 200]);
    expect(pages.flat()).toEqual(Array.from({ length: CALLS - 10 }, (_, n) => `cal_${CALLS - 1 - n}`));
    expect(await idsOf({ tagKeys: ['vip'], startedAfter: at(292) })).toEqual([['cal_297', 'cal_294']]);
    expect(await idsOf({}, 'com_2')).toEqual([]);
    const [last, day] = [at(100), { $gte: at(10), $lte: at(100) }];
    const continued = { startedAt: day, $or: [{ startedAt: { $lt: last } }, { _id: { $lt: 'cal_100' } }] };
    const plan = await cost({ companyId: 'com_1', listKeys: '||', ...continued }, NEWEST);
    expect(plan).toMatchObject({ index: 'list', isUnindexed: false });
    expect(plan.documents).toBeLessThanOrEqual(11);
  });

  it('the store makes one call of a leg that two processes see arrive', async () => {
    const again = { ...inbound(transfer(ada)).call, id: 'cal_again', legIds: ['leg-300'] };
    const create = calls.of('com_1').create({ ok: true, state: again, events: [], commands: [], timers: {} });
    await expect(create).rejects.toThrow();
    expect((await calls.byLeg('leg-300'))?.id).toBe('cal_300');
  });
});

it('many calls may wait for a call-back, which have no legs, also with the index of an earlier version', async () => {
  await db.collection('calls').dropIndex('leg');
  const earlier = { unique: true, partialFilterExpression: { isOpen: true, _deleted: false } };
  await db.collection('calls').createIndex({ legIds: 1 }, { name: 'leg', ...earlier });
  const [opened] = await Promise.all([1, 2].map(() => openCalls({ db, relay: idleRelay(), clock: systemClock })));
  for (const id of ['cal_callback_1', 'cal_callback_2']) {
    const state = { ...inbound(transfer(ada)).call, companyId: 'com_callbacks', id, legs: [], legIds: [] };
    await opened!.of('com_callbacks').create({ ok: true, state, events: [], commands: [], timers: {} });
  }
  expect(await Array.fromAsync(opened!.of('com_callbacks').find({ isOpen: true }, { id: 1 }))).toHaveLength(2);
});

describe('the queue of a company', () => {
  it('the queue of a company is read only as far as places are concerned, and up to a limit', async () => {
    for (const index of [1, 2]) {
      const { call } = inbound(transfer(ada));
      const state = { ...call, companyId: 'com_queue', id: `cal_queued_${index}`, legIds: [`queued-${index}`] };
      await calls.of('com_queue').create({ ok: true, state, events: [], commands: [], timers: {} });
    }
    const queue = await calls.queueOf('com_queue');
    expect([...queuePositions(queue)]).toEqual([['cal_queued_1', 1], ['cal_queued_2', 2]]); // prettier-ignore
    expect(queue[0]).not.toHaveProperty('timeline');
    expect(queue[0]).not.toHaveProperty('legs');
    expect((await calls.openOf('com_queue')).map(({ id }) => id)).toEqual(['cal_queued_1', 'cal_queued_2']);
    expect((await calls.queueOf('com_queue', 1)).map(({ id }) => id)).toEqual(['cal_queued_1']);
  });
});
