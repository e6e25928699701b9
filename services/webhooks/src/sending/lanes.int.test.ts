import { systemClock, trackBackgroundWork } from '@parley/clock';
import { newLease } from '@parley/aggregates';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { beginAttempt, newDelivery, recordAttempt } from '../deliveries/delivery.ts';
import { type Deliveries, openDeliveries, type StoredDelivery } from '../deliveries/delivery-store.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { TURNS_MAX } from './lane.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { openReceivers } from './receivers.ts';

const mongo = testMongo();
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'error' });
afterAll(() => Promise.all([mongo.close(), telemetry.stop()]));

let deliveries: Deliveries;
let turnsTaken: number;
/** The lanes that were looked up in the database. */
let lanesAsked: number;
/** The positions of what was sent, by any process. */
let sent: number[];
/** The statuses that the receiver answers with; 200 unless set. */
let answers: Map<number, number>;

beforeEach(async () => {
  const store = await openDeliveries(mongo.database());
  turnsTaken = 0;
  lanesAsked = 0;
  sent = [];
  answers = new Map();
  deliveries = {
    ...store,
    takeTurns(...asked) {
      turnsTaken += 1;
      return store.takeTurns(...asked);
    },
    isLaneTaken(lane) {
      lanesAsked += 1;
      return store.isLaneTaken(lane);
    },
  };
});

const LEASE_MS = 30_000;
const subscription = {
  id: 'whk_1',
  companyId: 'com_1',
  url: 'https://a.example/hook',
  active: true,
} as Subscription;

const added = (...positions: number[]) => positions.map((position) => ({ given: given(position), body: '{}' }));

function given(position: number) {
  return {
    id: `whd_${String(position).padStart(4, '0')}`,
    companyId: 'com_1',
    subscriptionId: subscription.id,
    event: 'contact.updated',
    sealedBody: '{}',
    createdAt: new Date(),
    traceparent: null,
    subject: 'con_1',
    position,
  };
}

/** The lanes of one process; none of its requests is answered before `answered`. */
function startProcess(answered: Promise<void> = Promise.resolve()): Lanes {
  return openLanes({
    deliveries,
    subscriptions: { recent: async () => subscription, current: async () => subscription },
    receivers: openReceivers({ requestsMax: 10, requestsPerReceiverMax: 10, waitMsMax: 1000 }),
    clock: systemClock,
    backgroundWork: trackBackgroundWork(),
    telemetry,
    leaseMs: LEASE_MS,
    async makeAttempt(begun, permit) {
      sent.push(begun.position);
      await answered;
      permit.release();
      const statusCode = answers.get(begun.position) ?? 200;
      const outcome = { statusCode, error: null, durationMs: 1, responseExcerpt: null, retryAfter: null };
      return recordAttempt(begun, outcome, new Date(), 0);
    },
    onDue: () => undefined,
  });
}

/** A process that sends the first delivery, and what ends its request. */
async function sendFirst() {
  const answered = Promise.withResolvers<void>();
  const lanes = startProcess(answered.promise);
  await lanes.add(subscription, added(10));
  return { lanes, answer: answered.resolve };
}

const storeUnclaimed = (position: number) =>
  deliveries.insert({
    delivery: newDelivery(given(position), { paused: false, laneFree: false }, new Date()),
    lease: null,
  });
const stored = async () =>
  (await deliveries.ofCompany('com_1', '', 100)).map(({ status, waitsFor, attempts }) => ({
    status,
    waitsFor,
    attempts: attempts.length,
  }));
const delivered = { status: 'delivered', waitsFor: null, attempts: 1 };

describe('the deliveries of a lane', () => {
  it('a process sends what it stores meanwhile in its order, without reading it', async () => {
    const { lanes, answer } = await sendFirst();
    await lanes.add(subscription, added(20, 30));
    const last = lanes.add(subscription, added(40));
    expect(sent).toEqual([10]);
    answer();
    await Promise.all([last, lanes.settled()]);
    expect(sent).toEqual([10, 20, 30, 40]);
    expect(turnsTaken).toBe(0);
    expect(await stored()).toEqual([delivered, delivered, delivered, delivered]);
  });

  it('deliveries that are stored together are sent without being read, and the next one without asking', async () => {
    const lanes = startProcess();
    await lanes.add(subscription, added(20, 30, 40));
    await lanes.settled();
    expect(sent).toEqual([20, 30, 40]);
    expect({ turnsTaken, lanesAsked }).toEqual({ turnsTaken: 0, lanesAsked: 1 });
    await lanes.add(subscription, added(50));
    await lanes.settled();
    expect(sent).toEqual([20, 30, 40, 50]);
    expect(lanesAsked).toBe(1);
  });

  it('other deliveries wait in the database for one that fails, and are found by the process that settles it', async () => {
    answers.set(20, 500);
    const { lanes, answer } = await sendFirst();
    await lanes.add(subscription, added(20, 30));
    answer();
    await lanes.settled();
    expect(sent).toEqual([10, 20]);
    const waiting = { status: 'pending', waitsFor: 'turn', attempts: 0 };
    expect(await stored()).toEqual([delivered, { status: 'pending', waitsFor: null, attempts: 1 }, waiting]);
    answers.clear();
    const later = { 'due.at': { $lte: new Date(Date.now() + 60_000) } };
    const due = await deliveries.due(later, '', [], 10);
    const lease = newLease(LEASE_MS);
    const [again] = (await deliveries.claim(due, lease, (one) => beginAttempt(one, new Date()))) as [StoredDelivery];
    await startProcess().sendDue(again);
    expect(sent).toEqual([10, 20, 20, 30]);
  });

  it('deliveries that another process has stored before are sent first', async () => {
    const { lanes, answer } = await sendFirst();
    await startProcess().add(subscription, added(20));
    await lanes.add(subscription, added(30));
    answer();
    await lanes.settled();
    expect(sent).toEqual([10, 20, 30]);
  });

  it('deliveries that are there already are sent before those behind them', async () => {
    const { lanes, answer } = await sendFirst();
    await storeUnclaimed(20);
    await lanes.add(subscription, added(20, 30));
    answer();
    await lanes.settled();
    expect(sent).toEqual([10, 20, 30]);
  });

  it('deliveries that find no room in memory are sent before those that are stored later', async () => {
    const { lanes, answer } = await sendFirst();
    const positions = Array.from({ length: TURNS_MAX + 1 }, (_, n) => 20 + 10 * n);
    const lastPosition = positions.at(-1)! + 10;
    await Promise.all([lanes.add(subscription, added(...positions)), lanes.add(subscription, added(lastPosition))]);
    answer();
    await lanes.settled();
    expect(sent).toEqual([10, ...positions, lastPosition]);
    expect(turnsTaken).toBeGreaterThan(0);
  });
});
