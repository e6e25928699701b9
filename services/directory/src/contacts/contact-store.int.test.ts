import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/outbox/idle-relay';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { NEWEST_FIRST, openContacts } from './contact-store.ts';

const mongo = testMongo();
const db = mongo.database();
beforeAll(() => openContacts(db, idleRelay(), systemClock));

afterAll(() => mongo.close());

const plan = (filter: object, sort?: typeof NEWEST_FIRST) =>
  documentQueryPlan(db, 'contacts', { ...filter, companyId: 'com_1' }, sort && { sort });

describe('the queries of contacts', () => {
  it('list newest first straight from an index, however long the list is', async () => {
    expect(await plan({}, NEWEST_FIRST)).toMatchObject({ index: 'company_newest', isUnindexed: false });
  });

  it('find a number by an index', async () => {
    expect(await plan({ phone: '+4520304050' })).toMatchObject({ index: 'company_phone' });
  });
});
