import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/outbox/idle-relay';
import { testMongo } from '@parley/testkit';
import { NEWEST_FIRST, openContacts } from './contact-store.ts';

const mongo = testMongo();
const db = mongo.database();
beforeAll(() => openContacts(db, idleRelay(), systemClock));

afterAll(() => mongo.close());

/** The index a query uses, and how many keys it looked at. */
async function plan(filter: object, sort?: typeof NEWEST_FIRST) {
  const cursor = db.collection('contacts').find({ ...filter, companyId: 'com_1', _deleted: false });
  const explained: any = await (sort ? cursor.sort(sort) : cursor).limit(10).explain('executionStats');
  const stages = JSON.stringify(explained.queryPlanner.winningPlan);
  return {
    index: /"indexName":"(\w+)"/.exec(stages)?.[1],
    sorts: stages.includes('"SORT"'),
    keys: explained.executionStats.totalKeysExamined,
  };
}

describe('the queries of contacts', () => {
  it('list newest first straight from an index, however long the list is', async () => {
    expect(await plan({}, NEWEST_FIRST)).toMatchObject({ index: 'company_newest', sorts: false });
  });

  it('find a number by an index', async () => {
    expect(await plan({ phone: '+4520304050' })).toMatchObject({ index: 'company_phone' });
  });
});
