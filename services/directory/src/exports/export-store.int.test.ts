import { afterAll, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { openExports } from './export-store.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

it('the exports of a person, and those that have expired, are found by an index', async () => {
  await openExports(db, idleRelay(), systemClock);
  const ofPerson = { companyId: 'com_1', phoneNumber: '+4520304050' };
  expect(await documentQueryPlan(db, 'exports', ofPerson)).toMatchObject({ index: 'company_phone' });
  const expired = { expiresAt: { $lte: new Date() } };
  expect(await documentQueryPlan(db, 'exports', expired)).toMatchObject({ index: 'expires' });
});
