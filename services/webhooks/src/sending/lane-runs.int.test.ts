import { systemClock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { beginAttempt, type Delivery, laneOf, newDelivery, recordAttempt } from '../deliveries/delivery.ts';
import { type Deliveries, openDeliveries, type StoredDelivery } from '../deliveries/delivery-store.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { laneRuns, type Started } from './lane-runs.ts';
import { openReceivers } from './receivers.ts';

const mongo = testMongo();
let deliveries: Deliveries;
let turnsTaken: number;
/** The positions of what was sent, by any process. */
let sent: number[];
/** The statuses that the receiver answers with; 200 unless set. */
let answers: Map<number, number>;

beforeEach(async () => {
  const store = await openDeliveries(mongo.database());
  turnsTaken = 0;
  sent = [];
  answers = new Map();
  deliveries = {
    ...store,
    takeTurns(...asked) {
      turnsTaken += 1;
      return store.takeTurns(...asked);
    },
  };
});
afterAll(() => mongo.close());

const SUBSCRIPTION_ID = 'whk_1';
const SUBJECT = 'con_1';
const LANE = laneOf(SUBSCRIPTION_ID, SUBJECT);
const LEASE_MS = 30_000;
const subscription = { id: SUBSCRIPTION_ID, companyId: 'com_1', url: 'https://a.example/hook' } as Subscription;

function delivery(position: number, laneFree: boolean): Delivery {
  const given = {
    id: `whd_${position}`,
    companyId: 'com_1',
    subscriptionId: SUBSCRIPTION_ID,
    event: 'contact.updated',
    sealedBody: '{}',
    createdAt: new Date(),
    traceparent: null,
    subject: SUBJECT,
    position,
  };
  return newDelivery(given, { paused: false, laneFree }, new Date());
}

/** The runs of one process; none of its requests is answered before `answered`. */
function startProcess(owner: string, answered: Promise<void> = Promise.resolve()) {
  const receivers = openReceivers({ requestsMax: 10, requestsPerReceiverMax: 10, waitMsMax: 1000 });
  const newLease = () => ({ owner, until: new Date(Date.now() + LEASE_MS) });
  const lanes = laneRuns({
    deliveries,
    receivers,
    clock: systemClock,
    leaseMs: LEASE_MS,
    newLease,
    isStopped: () => false,
    async attempt({ delivery: begun, lease, permit, followed = false }, before) {
      await before;
      sent.push(begun.position);
      await answered;
      permit.release();
      const statusCode = answers.get(begun.position) ?? 200;
      const outcome = { statusCode, error: null, durationMs: 1, responseExcerpt: null, retryAfter: null };
      return { delivery: recordAttempt(begun, outcome, new Date(), 0), lease, followed, subscription };
    },
    record: deliveries.record,
    advanceLane: async () => {},
  });
  const started = (begun: Delivery): Started => ({
    delivery: begun,
    lease: newLease(),
    permit: receivers.permit(subscription),
  });
  return { lanes, started };
}

/** A process that sends the first delivery, and what ends its request. */
async function sendFirst() {
  const answer = Promise.withResolvers<void>();
  const { lanes, started } = startProcess('process_1', answer.promise);
  const first = started(beginAttempt(delivery(1, true), new Date()));
  await deliveries.insert(first);
  return { lanes, answer: answer.resolve, done: lanes.deliver(first, []) };
}

const behind = (position: number) => ({ delivery: delivery(position, false), body: '{}' });
const stored = async () =>
  (await deliveries.ofCompany('com_1', '', 10)).map(({ status, waitsFor, attempts }) => ({
    status,
    waitsFor,
    attempts: attempts.length,
  }));
const delivered = { status: 'delivered', waitsFor: null, attempts: 1 };

describe('deliveries of a lane', () => {
  it('that a process stores while it sends are sent by it in their order, without being read', async () => {
    const { lanes, answer, done } = await sendFirst();
    await lanes.storeBehind(LANE, [behind(2), behind(3)]);
    const last = lanes.storeBehind(LANE, [behind(4)]);
    expect(sent).toEqual([1]);
    answer();
    await Promise.all([last, done]);
    expect(sent).toEqual([1, 2, 3, 4]);
    expect(turnsTaken).toBe(0);
    expect(await stored()).toEqual([delivered, delivered, delivered, delivered]);
    expect(lanes.storeBehind(LANE, [behind(5)])).toBeUndefined();
  });

  it('that are stored together are sent without being read', async () => {
    const { lanes, started } = startProcess('process_1');
    const first = started(beginAttempt(delivery(1, true), new Date()));
    const others = lanes.claimBehind([behind(2), behind(3)])!;
    await Promise.all([first, ...others].map(deliveries.insert));
    expect(lanes.lastSettled(LANE)).toBeUndefined();
    await lanes.deliver(first, others);
    expect(sent).toEqual([1, 2, 3]);
    expect(turnsTaken).toBe(0);
    expect(lanes.lastSettled(LANE)).toBe(3);
  });

  it('wait in the database for one that fails, and are found by the process that settles it', async () => {
    answers.set(2, 500);
    const { lanes, answer, done } = await sendFirst();
    await lanes.storeBehind(LANE, [behind(2), behind(3)]);
    answer();
    await done;
    expect(sent).toEqual([1, 2]);
    expect(lanes.lastSettled(LANE)).toBeUndefined();
    const waiting = { status: 'pending', waitsFor: 'turn', attempts: 0 };
    expect(await stored()).toEqual([delivered, { status: 'pending', waitsFor: null, attempts: 1 }, waiting]);
    answers.clear();
    const later = { 'due.at': { $lte: new Date(Date.now() + 60_000) } };
    const due = await deliveries.due(later, { after: '', except: [], limit: 10 });
    const other = startProcess('process_2');
    const { lease } = other.started(due[0]!);
    const [again] = (await deliveries.claim(due, lease!, (one) => beginAttempt(one, new Date()))) as [StoredDelivery];
    await other.lanes.deliver({ ...other.started(again), followed: again.followed });
    expect(sent).toEqual([1, 2, 2, 3]);
  });

  it('are sent after those that another process has stored before them', async () => {
    const { lanes, answer, done } = await sendFirst();
    await deliveries.insert({ delivery: delivery(2, false), lease: null });
    await startProcess('process_2').lanes.addWaiting(SUBSCRIPTION_ID, SUBJECT);
    await lanes.storeBehind(LANE, [behind(3)]);
    answer();
    await done;
    expect(sent).toEqual([1, 2, 3]);
  });

  it('that are there already are sent before those behind them', async () => {
    const { lanes, answer, done } = await sendFirst();
    await deliveries.insert({ delivery: delivery(2, false), lease: null });
    await lanes.storeBehind(LANE, [behind(2), behind(3)]);
    answer();
    await done;
    expect(sent).toEqual([1, 2, 3]);
  });

  it('that wait in the database are sent before those that are stored later', async () => {
    const { lanes, answer, done } = await sendFirst();
    await deliveries.insert({ delivery: delivery(2, false), lease: null });
    await lanes.addWaiting(SUBSCRIPTION_ID, SUBJECT);
    expect(lanes.storeBehind(LANE, [behind(3)])).toBeUndefined();
    answer();
    await done;
    expect(sent).toEqual([1, 2]);
  });
});
