import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { documentQueryPlan, insertEntities, queryPlans, testMongo } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import { searchTermsOf } from './contact.ts';
import { type ListPosition, NEWEST_FIRST } from '../newest-first/newest-first.ts';
import { contactSearch, type Contacts, newestContacts, openContacts } from './contact-store.ts';

/** Enough that no word of all of them counts as rare. */
const COUNT = 4100;
/** Those of them that have a word of their own, as frequent; the newest ones do not. */
const OLDER = 1600;

const mongo = testMongo();
const db = mongo.database();
const client = new MongoClient(mongo.url, { monitorCommands: true });
let contacts: Contacts;
beforeAll(async () => {
  contacts = await openContacts(client.db(db.databaseName), idleRelay(), systemClock);
  const fields = { email: null, companyName: null, note: null, phoneFormatted: '', createdAt: new Date(), revision: 1 };
  await insertEntities(
    db,
    'contacts',
    Array.from({ length: COUNT }, (_, index) => {
      const companyName = index < OLDER ? 'Nordlys' : null;
      const searched = { name: `Hansen ${index}`, phone: `+452${index}`, email: null, companyName };
      const order = { createdOrder: index, updatedAt: new Date(), searchTerms: searchTermsOf(searched) };
      return { id: `con_${index}`, companyId: 'com_1', ...fields, ...searched, ...order };
    }),
  );
});

afterAll(async () => {
  await client.close();
  await mongo.close();
});

const plan = (filter: object, sort?: Readonly<Record<string, 1 | -1>>) =>
  documentQueryPlan(db, 'contacts', { ...filter, companyId: 'com_1' }, sort && { sort });

describe('the queries of contacts', () => {
  it('the queries of contacts list newest first straight from an index, however long the list is', async () => {
    expect(await plan({}, NEWEST_FIRST)).toMatchObject({ index: 'company_newest', isUnindexed: false });
  });

  it('the queries of contacts continue a list behind a page by the same index', async () => {
    const after = { createdOrder: 5, ids: ['con_5'] };
    const page = newestContacts(contacts.of('com_1'), 3, after);
    expect((await page).map(({ id }) => id)).toEqual(['con_4', 'con_3', 'con_2']);
    const [continued] = await queryPlans(client, db, () => newestContacts(contacts.of('com_1'), 3, after));
    expect(continued).toMatchObject({ index: 'company_newest', isUnindexed: false });
    expect(continued?.docsExamined).toBeLessThan(10);
  });

  it.each([
    [
      'a rare word',
      ['hansen', '77'],
      ['company_search', 'company_search', 'company_newest'],
      ['con_4077', 'con_3977', 'con_3877'],
    ],
    ['frequent words', ['hansen', 'ans'], ['company_search', 'company_search', 'company_newest'], ['con_4099']],
    ['a word that nobody has', ['zelda'], ['company_search'], []],
  ])('the queries of contacts search for %s without reading many contacts', async (_what, words, indexes, found) => {
    const search = () => contactSearch(contacts)('com_1', words, found.length || 1);
    expect((await search()).map(({ id }) => id)).toEqual(found);
    const plans = await queryPlans(client, db, search);
    expect(plans.map(({ index }) => index)).toEqual(indexes);
    // An index that is entered with the word reads no more keys than it has contacts, and no contact.
    for (const { keysExamined } of plans) expect(keysExamined).toBeLessThanOrEqual(1501);
    for (const { index, docsExamined } of plans)
      expect(docsExamined).toBeLessThanOrEqual(index === 'company_search' ? 0 : 101);
  });

  it('the queries of contacts search for a frequent word that only older contacts have, and read few of the newer ones', async () => {
    const searchIn = contactSearch(contacts);
    const search = (limit: number, after?: ListPosition) => searchIn('com_1', ['nordlys'], limit, after);
    expect((await search(2)).map(({ id }) => id)).toEqual(['con_1599', 'con_1598']);
    const after = { createdOrder: 1598, ids: ['con_1598'] };
    expect((await search(2, after)).map(({ id }) => id)).toEqual(['con_1597', 'con_1596']);
    expect(await search(OLDER + 1)).toHaveLength(OLDER);
    const plans = await queryPlans(client, db, () => search(2));
    expect(plans.map(({ index }) => index)).toEqual(['company_search', 'company_search', 'company_newest']);
    expect(plans.map(({ docsExamined }) => docsExamined)).toEqual([0, 0, 2]);
  });

  it('the queries of contacts continue a search behind a page', async () => {
    const page = (words: string[], createdOrder: number) =>
      contactSearch(contacts)('com_1', words, 2, { createdOrder, ids: [`con_${createdOrder}`] });
    expect((await page(['hansen', '77'], 777)).map(({ id }) => id)).toEqual(['con_776', 'con_775']);
    expect((await page(['hansen'], 777)).map(({ id }) => id)).toEqual(['con_776', 'con_775']);
  });

  it('the queries of contacts find a number by an index, and several in order of the index', async () => {
    const several = await plan({ phone: { $in: ['+4520304050', '+4520304051'] } }, { phone: 1 });
    expect(several).toMatchObject({ index: 'company_phone', isUnindexed: false });
    expect(await plan({ phone: '+4520304050' })).toMatchObject({ index: 'company_phone' });
  });
});
