import { afterAll, expect, it } from '@jest/globals';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { companyErasure } from './erase-company.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

it('eraseCompany removes the documents of one company in portions, by an index, what forbids it to act last, and shared ones never', async () => {
  const db = mongo.database();
  const documents = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ _id: `${prefix}${n}`, companyId: prefix }) as never);
  for (const name of ['contacts', 'rules', 'shared']) {
    await db
      .collection(name)
      .insertMany([...documents('com_1', name === 'contacts' ? 1100 : 1), ...documents('com_2', 3)]);
  }
  const countOf = (name: string, companyId: string) => db.collection(name).countDocuments({ companyId });
  const erase = companyErasure({ db, except: ['shared'], last: ['rules'] });
  let removed = 0;
  let portions = 0;
  for (let position = ''; ; portions += 1) {
    const portion = await erase({ companyId: 'com_1' }, position);
    // A portion that is repeated changes nothing.
    if (portions === 3) expect((await erase({ companyId: 'com_1' }, position)).removed).toBe(0);
    removed += portion.removed;
    if (await countOf('contacts', 'com_1')) expect(await countOf('rules', 'com_1')).toBe(1);
    if (portion.isDone) break;
    ({ position } = portion);
  }
  expect(removed).toBe(1101);
  expect(portions).toBeGreaterThan(3);
  for (const name of ['contacts', 'rules']) {
    expect([await countOf(name, 'com_1'), await countOf(name, 'com_2')]).toEqual([0, 3]);
    const plan = await documentQueryPlan(db, name, { companyId: 'com_2' });
    expect(plan).toMatchObject({ index: 'of_company', isUnindexed: false });
  }
  expect(await countOf('shared', 'com_1')).toBe(1);
}, 60_000);
