import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, trackBackgroundWork } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import type { DueWork } from '@parley/aggregates';
import { dueIn } from '@parley/errors';
import { createLog, startTelemetry } from '@parley/telemetry';
import { queryPlans, testMongo } from '@parley/testkit';
import { type Db, MongoClient } from 'mongodb';
import { type Deliveries, openDeliveries } from '../src/deliveries/delivery-store.ts';
import {
  beginAttempt,
  type Delivery,
  laneOf,
  newDelivery,
  recordAttempt,
  suspend,
} from '../src/deliveries/delivery.ts';
import { type CompanyLogs, openCompanyLogs } from '../src/event-log/company-logs.ts';
import { type EventLogStore, openEventLogStore } from '../src/event-log/event-log-store.ts';
import { openReceivers } from '../src/sending/receivers.ts';
import { openDueClaims } from '../src/sending/engine.ts';
import { openSubscriptions, type Subscriptions } from '../src/subscriptions/subscription-store.ts';
import { createSubscription, updateSubscription } from '../src/subscriptions/subscription.ts';

const SETTLED = 1_500;
const DUE = 900;
const SUBSCRIPTIONS = 30;
const LOGGED = 2_600;
const LOGS = 30;
/** The documents that a query may examine beyond its result: the far end of an index range, or a claim that others hold. */
const SLACK = 10;

const mongo = testMongo();
let client: MongoClient;
let db: Db;
let deliveries: Deliveries;
let subscriptions: Subscriptions;
let eventLog: EventLogStore;
let logs: CompanyLogs;

const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
const now = new Date('2026-03-01T12:00:00Z');
const delivered = { statusCode: 200, error: null, durationMs: 1, responseExcerpt: null, retryAfter: null };
const lease = () => ({ owner: 'lease_1', until: new Date(Date.now() + 60_000) });

function delivery(n: number): Delivery {
  const given = {
    id: `whd_${n}`,
    companyId: 'com_1',
    subscriptionId: `whk_${n % SUBSCRIPTIONS}`,
    event: 'contact.created',
    sealedBody: '{}',
    createdAt: new Date(now.getTime() + n),
    traceparent: null,
    subject: `con_${n}`,
    position: 10,
  };
  return newDelivery(given, { paused: false, laneFree: true }, now);
}

beforeAll(async () => {
  client = new MongoClient(mongo.url, { monitorCommands: true });
  db = client.db(mongo.database('plans').databaseName);
  deliveries = await openDeliveries(db);
  subscriptions = await openSubscriptions(db, idleRelay(), systemClock);
  const settled = (n: number) => recordAttempt(beginAttempt(delivery(n), now), delivered, now, 0);
  const all = Array.from({ length: SETTLED + DUE }, (_, n) => (n < SETTLED ? settled(n) : delivery(n)));
  await Promise.all(all.map((one) => deliveries.insert({ delivery: one, lease: null })));
  for (let n = 0; n < SUBSCRIPTIONS; n += 1) await subscribe(n);
  const encryption = { encrypt: (text: string) => text, decrypt: (text: string) => text };
  const clock = { now: () => now };
  const onAppended = () => {};
  eventLog = await openEventLogStore({ db, encryption, clock, eventsMax: 5_000_000, onAppended, telemetry });
  logs = await openCompanyLogs(db, clock);
  for (let n = 0; n < LOGS; n += 1) await record(`com_${n}`, n === 1 ? LOGGED : 10);
  await Promise.all(Array.from({ length: LOGS }, (_, n) => logs.begin(`com_${n}`)));
});

const logOf = (companyId: string) => ({ companyId, epoch: 1 });

async function record(companyId: string, count: number) {
  const event = 'contact.created' as const;
  const common = { companyId, event, subject: 'con_1:contact', occurredAt: now, recordedAt: now, body: '{}' };
  const events = Array.from({ length: count }, (_, n) => eventLog.store({ ...common, id: `evt_${companyId}_${n}` }));
  await eventLog.append({ log: logOf(companyId), events: await Promise.all(events) });
}

const appendOne = async () => {
  const id = 'evt_com_1_0';
  const event = 'contact.created' as const;
  await eventLog.append({ log: logOf('com_1'), events: [{ id, event, newSince: null }] });
};

afterAll(async () => {
  await telemetry.stop();
  await client?.close();
  await mongo.close();
});

async function subscribe(n: number) {
  const fields = { name: 'n', url: { text: 'https://example.com', problem: null }, events: ['contact.created'] };
  const identity = { id: `whk_${n}`, companyId: `com_${n % 5}`, createdOrder: n };
  const decision = createSubscription({ ...identity, fields, active: true, encryptedSecret: 's' }, now);
  return subscriptions.of(identity.companyId).create(decision, 100);
}

const plansOf = (work: () => Promise<unknown>) => queryPlans(client, db, work);

const claimable = () => ({
  'due.at': { $lte: now },
  $or: [{ claim: null }, { 'claim.until': { $lt: new Date() } }],
});
const receivers = () => openReceivers({ requestsMax: 100, requestsPerReceiverMax: 2, waitMsMax: 1 });
const claimed = (n: number) => ({ delivery: delivery(n), lease: lease() });

const log = createLog({ service: 'test', level: 'silent' });
const workOptions = () => ({ backgroundWork: trackBackgroundWork(), log });

async function whileWorking(ask: (work: DueWork) => Promise<void>): Promise<void> {
  const work = deliveries.startClaimedWork({
    ...workOptions(),
    name: 'test',
    claimField: 'claim',
    clock: { now: () => new Date(now.getTime() + 3_600_000) },
    concurrency: 1,
    leaseMs: 1000,
    take: async () => [],
    handle: async () => {},
  });
  await ask(work);
  await work.stop();
}

async function expire(): Promise<void> {
  const expired = () => ({ createdAt: { $lt: new Date(0) } });
  await deliveries.startExpiry({ ...workOptions(), expired, everyMs: 3600_000 }).stop();
}

/** The query, its index, and how many documents it examines (explained again after it was executed). */
const queries: [string, () => Promise<unknown>, string, number][] = [
  [
    'claiming',
    () => openDueClaims(deliveries, receivers(), { now: () => now }).take(claimable(), lease()),
    'subscription_due',
    // A page, behind the one that the first execution has claimed.
    400,
  ],
  ['recording an attempt', () => deliveries.record(claimed(SETTLED + 1)), '_id_', 1],
  ['asking for a free lane', () => deliveries.isLaneTaken(laneOf('whk_1', 'con_1501')), 'lane_position', 1],
  ['waiting in a lane', () => deliveries.markSuccessor(laneOf('whk_1', 'con_1501')), 'lane_position', 1],
  ['advancing a lane', () => deliveries.advanceLane(laneOf('whk_1', 'con_1501'), dueIn(now, 0)), 'lane_position', 1],
  ['resuming', () => deliveries.resume('whk_2', dueIn(now, 0)), 'paused', 1],
  ['finding what a pause left', () => deliveries.paused(), 'paused', 1],
  ['the log', () => deliveries.page('whk_1', undefined, 20), 'log', 20],
  ['the next page of the log', () => deliveries.page('whk_1', [now.getTime() + 601, 'whd_601'], 20), 'log', 20],
  ['sending again', () => deliveries.change('whk_1', 'whd_1', (one) => ({ ...one })), '_id_', 1],
  ['pulling plans back', () => whileWorking((work) => work.pullBack()), 'due', 0],
  ['the deliveries of a company', () => deliveries.ofCompany('com_1', '', 50), 'company', 50],
  ['removing', () => deliveries.remove('whd_none'), '_id_', 0],
  ['removing all', () => deliveries.removeAll('whk_none'), 'log', 0],
  ['expiring', expire, 'created', 0],
  [
    'retrying failed deliveries',
    () => deliveries.retryAll({ subscriptionId: 'whk_1', status: 'failed', since: now }, 10, now),
    'failed',
    0,
  ],
  ['repeating an event', appendOne, '_id_', 2],
  ['the newest segment', () => eventLog.end(logOf('com_1')), 'log', 1],
  ['the place of a time', () => eventLog.aroundTime(logOf('com_1'), new Date(now.getTime() + 1)), 'log_time', 1],
  ['the next segment with a type', () => eventLog.nextWith(logOf('com_1'), 3, ['contact.created']), 'log_types', 1],
  ['the contents of a page', () => eventLog.bodiesOf(['evt_com_1_1', 'evt_com_1_2']), '_id_', 2],
  ['the events of a company', () => eventLog.ofCompany('com_1', '', 50), 'company', 50],
  ['expired segments', () => eventLog.removeExpired(now, async () => []), 'time', 0],
  ['which companies have a log', () => logs.areThere([logOf('com_1'), logOf('com_2')]), '_id_', 2],
  ['beginning a log', () => logs.begin('com_1'), '_id_', 1],
  ['ending logs', () => logs.endUnused(async () => true), 'last_used', 0],
  ['listing subscriptions', () => subscriptions.of('com_1').list(), 'company_oldest', 6],
  ['the subscription of an attempt', () => subscriptions.current('whk_1'), '_id_', 1],
  ['creating a subscription', () => subscribe(1_000), 'company_slot', 6],
  [
    'changing a subscription',
    () => subscriptions.of('com_1').change('whk_1', (current) => updateSubscription(current, { name: 'x' }, now)),
    '_id_',
    1,
  ],
  ['deleting a subscription', () => subscriptions.of('com_1').remove('whk_1'), '_id_', 1],
];

describe('every query uses an index and examines about as many documents as it returns', () => {
  it.each(queries)(
    'the query %s uses an index and examines about as many documents as it returns',
    async (_, run, index, documents) => {
      if (index === 'paused') {
        const parked = { delivery: suspend(delivery(9_999)), lease: null };
        await deliveries.insert(parked);
      }
      const plans = await plansOf(run);
      expect(plans.length).toBeGreaterThan(0);
      for (const { isUnindexed, docsExamined } of plans) {
        expect(isUnindexed).toBe(false);
        expect(docsExamined).toBeLessThanOrEqual(documents + SLACK);
      }
      expect(plans.flatMap(({ stages }) => stages).some((stage) => stage.endsWith(` ${index}`))).toBe(true);
    },
  );

  it('a part of a log is read by its id', async () => {
    const [plan] = await plansOf(() => eventLog.part(logOf('com_1'), 1, 10, 50));
    expect(plan!.stages).toContain('IDHACK');
    expect(plan!.docsExamined).toBe(1);
  });

  it('stalled lanes are found without reading a delivery', async () => {
    const [plan] = await plansOf(() => deliveries.stuckLanes(100));
    expect(plan!.stages).toContain('DISTINCT_SCAN lane_position');
    expect(plan!.docsExamined).toBe(0);
  });
});
