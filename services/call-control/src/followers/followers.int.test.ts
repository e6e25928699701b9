import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { ada, inbound, transfer } from '../../test/test-call.ts';
import type { CallInput } from '../calls/model/call-input.ts';
import { OPEN_STATES } from '../calls/model/call.ts';
import { type Calls, openCalls } from '../calls/store/call-store.ts';
import { changeCompany } from './followers.ts';

/** More than any page or limit of a query. */
const CALLS = 2100;
const mongo = testMongo();
const db = mongo.database();
let calls: Calls;

beforeAll(async () => {
  calls = await openCalls({ db, relay: idleRelay(), clock: systemClock });
  const { call } = inbound(transfer(ada));
  await calls
    .of('com_1')
    .create({ ok: true, state: { ...call, id: 'cal_0000' }, events: [], commands: [], timers: {} });
  const stored = (await db.collection('calls').findOne({}))!;
  const copies = Array.from({ length: CALLS - 1 }, (_, n) => ({
    ...stored,
    _id: `cal_${String(n + 1).padStart(4, '0')}` as unknown as typeof stored._id,
    legIds: [`leg-${n}`],
    // Several begin at the same moment.
    startedAt: new Date(call.startedAt.getTime() + Math.floor(n / 7) * 1000),
    ...(n === 2050 && { supervision: { supervisor: ada, mode: 'listen', legIds: [], hasAnswered: true } }),
  }));
  await db.collection('calls').insertMany(copies);
});
afterAll(() => mongo.close());

/** What is applied to which call. */
async function change(company: { suspended: boolean; supervisionEnabled: boolean }, failing = '') {
  const applied = new Map<string, CallInput['type']>();
  const runner = {
    async apply({ id }: { id: string }, input: CallInput) {
      if (id === failing) throw new Error('a defect of one call');
      expect(applied.has(id)).toBe(false);
      applied.set(id, input.type);
      return undefined;
    },
  };
  const result = changeCompany({ calls, runner }, { id: 'com_1', ...company });
  return { applied, failure: await result.catch((error: unknown) => error) };
}

it('every open call of a company that is suspended ends, however many there are, and whichever of them fails', async () => {
  const all = await change({ suspended: true, supervisionEnabled: true });
  expect([all.applied.size, new Set(all.applied.values())]).toEqual([CALLS, new Set(['company_suspended'])]);
  const others = await change({ suspended: true, supervisionEnabled: true }, 'cal_0003');
  expect([others.applied.size, others.failure]).toEqual([CALLS - 1, new Error('a defect of one call')]);
});

it('every supervision ends in a company that has disabled it, and nothing else', async () => {
  const { applied } = await change({ suspended: false, supervisionEnabled: false });
  expect([...applied]).toEqual([['cal_2051', 'end_supervision']]);
  expect((await change({ suspended: false, supervisionEnabled: true })).applied.size).toBe(0);
});

it('a page of open calls is read from an index', async () => {
  const after = new Date('2026-03-02T10:01:00Z');
  const next = { startedAt: { $gte: after }, $or: [{ startedAt: { $gt: after } }, { _id: { $gt: 'cal_0500' } }] };
  const filter = { companyId: 'com_1', state: { $in: OPEN_STATES }, isOpen: true, ...next };
  const plan = await documentQueryPlan(db, 'calls', filter, { sort: { startedAt: 1, _id: 1 }, limit: 200 });
  expect(plan).toMatchObject({ index: 'open_by_state', isUnindexed: false });
});
