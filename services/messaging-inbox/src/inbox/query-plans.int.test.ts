import { microsecondTicker, systemClock } from '@parley/clock';
import { decided } from '@parley/errors';
import { queryPlans, testMongo } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, MongoClient } from 'mongodb';
import { COMPANY, fillInbox, itemId, phoneOf, timeOf } from '../../test/fill-inbox.ts';
import { type ContactCopies, openContactCopies } from '../contacts/contact-copy-store.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import { type InboxStore, openInbox, readThreadItems } from '../projection/inbox-store.ts';
import { listActivity } from './list-activity-store.ts';
import { listThreads, NUMBER_MATCHES_MAX } from './list-threads-store.ts';
import { markSeen } from './mark-seen-store.ts';
import { inboxProjection } from '../projection/projection-store.ts';
import { applyHandling, threadId } from '../projection/thread.ts';
import { CONTACT_CANDIDATES_MAX, type ThreadQuery } from './list-threads-store.ts';

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
let db: Db;
let store: InboxStore;
let contacts: ContactCopies;
afterAll(async () => {
  await client.close();
  await mongo.close();
});

const BUSY = phoneOf(0);
const LIMIT = 20;
const CONTACTS = 250;
/** Documents per item of a page. */
const EXAMINED_MAX = 3;

beforeAll(async () => {
  db = client.db(mongo.database('plans').databaseName);
  store = await openInbox(db);
  contacts = await openContactCopies(db);
  await fillInbox(db, { threads: 400, itemsPerThread: 0, busyItems: 300 });
  for (let n = 0; n < CONTACTS; n++) await contacts.apply(aContact(n));
  // Every second thread is done and every tenth is assigned; nobody has handled the others.
  for (let n = 0; n < 400; n += 2) {
    const handling = {
      assigneeId: n % 10 === 0 ? 'emp_1' : null,
      done: n % 4 === 0,
      doneThrough: timeOf(1000),
      revision: 1,
    };
    await store.threads
      .of(COMPANY)
      .changeIfExists(threadId(COMPANY, ALL_NUMBERS, phoneOf(n)), (thread) => decided(applyHandling(thread, handling)));
  }
}, 60_000);

function aContact(n: number) {
  return {
    id: `con_${n}`,
    companyId: COMPANY,
    phone: phoneOf(n),
    phoneFormatted: phoneOf(n),
    name: `Anders ${n}`,
    email: null,
    companyName: null,
    note: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    revision: 1,
  };
}

const plansOf = async (work: () => Promise<unknown>) =>
  (await queryPlans(client, db, work)).filter(({ command }) => command === 'find' || command === 'aggregate');
const query: ThreadQuery = { scope: ALL_NUMBERS, withMessages: true, unseen: false, text: undefined };
const listed = (change: Partial<ThreadQuery>, after?: { at: number; phone: string }) =>
  listThreads({ store, contacts }, COMPANY, { ...query, ...change }, { limit: LIMIT, after });
const deep = { at: timeOf(100), phone: phoneOf(100) };

describe('the queries of the inbox', () => {
  it.each([
    ['newest', {}, undefined],
    ['newest', {}, deep],
    ['newest_calls', { withMessages: false }, undefined],
    ['newest', { scope: 'num_1' }, deep],
    ['unseen', { unseen: true }, undefined],
    ['unseen', { unseen: true }, deep],
    ['unseen_calls', { unseen: true, withMessages: false }, deep],
    ['mark', { assigneeId: 'emp_1' }, undefined],
    ['mark', { assigneeId: 'emp_1', state: 'open' }, deep],
    ['mark', { state: 'done' }, undefined],
    ['mark', { state: 'open' }, undefined],
    ['mark', { state: 'open' }, deep],
    ['mark_calls', { assigneeId: 'emp_1', withMessages: false }, deep],
  ] as const)(
    'the queries of the inbox for threads use %s with %j after %j, and read hardly more than they answer',
    async (index, change, after) => {
      // The threads that this process has not read before are read by their ids.
      const plans = (await plansOf(() => listed(change, after))).filter((plan) => plan.index !== '_id_');
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) {
        expect(plan).toMatchObject({ collection: 'inbox_threads', index, isUnindexed: false });
        expect(plan.docsExamined).toBeLessThanOrEqual(LIMIT * EXAMINED_MAX);
      }
    },
  );

  it.each([
    [undefined, undefined],
    [{ observedAt: timeOf(1000), at: timeOf(150), id: itemId(150) }, undefined],
    [undefined, 'num_1'],
  ])(
    'the queries of the inbox for activity after %j of %s read hardly more than they answer',
    async (after, businessNumberId) => {
      const asked = { companyId: COMPANY, phone: BUSY, businessNumberId, withMessages: true };
      const page = { limit: LIMIT, observedAt: timeOf(1000), after };
      const [plan] = await plansOf(() => listActivity(store, asked, page));
      expect(plan).toMatchObject({ index: 'activity', isUnindexed: false });
      expect(plan!.docsExamined).toBeLessThanOrEqual(LIMIT * EXAMINED_MAX);
    },
  );

  it.each([
    // Every contact with the longest of the words.
    ['anders 14', CONTACTS],
    ['anders', CONTACT_CANDIDATES_MAX],
    ['00 0 07', CONTACT_CANDIDATES_MAX],
    ['20000', CONTACT_CANDIDATES_MAX],
  ])(
    'the queries of the inbox for a search for %j read at most %d contacts and no more than the candidates of threads',
    async (text, contactsMax) => {
      const plans = await plansOf(() => listed({ text }));
      const most = { contacts: contactsMax, inbox_threads: NUMBER_MATCHES_MAX + 1 };
      expect(plans.map(({ collection }) => collection)).toContain('contacts');
      for (const { collection, stages, docsExamined } of plans) {
        expect(stages).not.toContain('COLLSCAN');
        expect(docsExamined).toBeLessThanOrEqual(most[collection as keyof typeof most]);
      }
    },
  );

  it.each([
    ['phone_gram', '02', {}],
    ['phone_gram', '001', {}],
    ['phone_gram_calls', '001', { withMessages: false }],
  ])(
    'the queries of the inbox for a part that many numbers have use %s for %j with %j',
    async (index, text, change) => {
      let found = 0;
      const plans = await plansOf(async () => void (found = (await listed({ text, ...change })).length));
      expect(found).toBe(LIMIT);
      const [plan] = plans.filter(({ collection }) => collection === 'inbox_threads');
      expect(plan).toMatchObject({ index, isUnindexed: false });
      expect(plan!.docsExamined).toBeLessThanOrEqual(LIMIT * EXAMINED_MAX);
    },
  );

  it('the queries of the inbox for digits list threads by number and by contact in one order', async () => {
    const name = { ...aContact(399), name: 'Room 0000007' };
    await contacts.apply(name);
    const first = await listThreads(
      { store, contacts },
      COMPANY,
      { ...query, text: '0000007' },
      { limit: 2, after: undefined },
    );
    const all = await listed({ text: '0000007' });
    expect(all.map(({ thread }) => thread.phone)).toEqual([phoneOf(399), phoneOf(1)]);
    expect(first).toEqual(all);
    const after = { at: all[0]!.summary.lastActivityAt, phone: phoneOf(399) };
    expect((await listed({ text: '0000007' }, after)).map(({ thread }) => thread.phone)).toEqual([phoneOf(1)]);
    await contacts.remove(COMPANY, name.id);
  });

  it('the queries of the inbox for summaries, counts and marks use an index', async () => {
    const projection = inboxProjection({ store, clock: systemClock, nowMicros: microsecondTicker(systemClock) });
    const seen = { companyId: COMPANY, phone: BUSY, businessNumberId: undefined, withMessages: true, at: 1 };
    const plans = await plansOf(async () => {
      const wanted = { latest: true, unseen: true, withoutMessages: true };
      await readThreadItems(store, { companyId: COMPANY, phone: BUSY }, [ALL_NUMBERS, 'num_1'], wanted);
      await store.threads.of(COMPANY).get(threadId(COMPANY, ALL_NUMBERS, BUSY));
      await store.threads.of(COMPANY).count(1000, { scope: ALL_NUMBERS, 'withMessages.unseen': true });
      await contacts.byPhone(COMPANY, [BUSY]);
      await markSeen(store, projection, { ...seen, through: timeOf(10) });
    });
    expect(plans.length).toBeGreaterThan(5);
    expect(plans.filter(({ stages }) => stages.includes('COLLSCAN'))).toEqual([]);
  });
});
