import { queryPlans, testMongo } from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Db, MongoClient } from 'mongodb';
import { type AuditEvents, openAuditEvents } from '../src/audit-events/audit-event-store.ts';
import { storedAuditEvent } from '../src/audit-events/audit-event.ts';

const ENTRIES = 3000;
const PAGE = 20;
const mongo = testMongo();
let client: MongoClient;
let db: Db;
let auditEvents: AuditEvents;
const start = new Date('2026-03-01T12:00:00Z').getTime();

/** A rare actor, object and type are spread over the whole log: one of a hundred. */
const event = (n: number) =>
  storedAuditEvent({
    id: `aud_${n}`,
    companyId: 'com_1',
    at: new Date(start + n * 1000),
    actor: { type: 'employee', id: n % 100 === 0 ? 'emp_rare' : 'emp_1', name: 'Ada' },
    entry: {
      type: n % 100 === 0 ? 'company.created' : 'company.updated',
      object: { type: 'company', id: n % 100 === 0 ? 'com_rare' : 'com_1', name: '' },
      changes: {},
    },
  });

beforeAll(async () => {
  client = new MongoClient(mongo.url, { monitorCommands: true });
  db = client.db(mongo.database('audit').databaseName);
  auditEvents = await openAuditEvents(db);
  await Promise.all(Array.from({ length: ENTRIES }, (_, n) => auditEvents.add(event(n))));
}, 60_000);
afterAll(async () => {
  await client.close();
  await mongo.close();
});

const rare = { actorId: 'emp_rare', objectId: 'com_rare', type: 'company.created' };
it.each([
  ['no filter', {}],
  ['an actor', { actorId: rare.actorId }],
  ['an object', { objectId: rare.objectId }],
  ['a type', { type: rare.type }],
  ['all of them', rare],
  ['a time', { from: new Date(start + 100_000), to: new Date(start + 2_000_000) }],
  ['an actor and a time', { actorId: rare.actorId, from: new Date(start), to: new Date(start + 2_500_000) }],
])('a page with %s reads what it shows', async (_what, query) => {
  for (const after of [undefined, [start + 2_400_000, 'aud_x'] as const]) {
    const plans = await queryPlans(client, db, () => auditEvents.page('com_1', query, after, PAGE));
    for (const plan of plans) {
      expect(plan).toMatchObject({ index: 'company_key_newest', isUnindexed: false });
      expect(plan.docsExamined).toBeLessThanOrEqual(PAGE);
      expect(plan.keysExamined).toBeLessThanOrEqual(PAGE + 2);
    }
    expect(plans.length).toBeGreaterThan(0);
  }
});
