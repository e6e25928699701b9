import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { insertEntities, queryPlans, testMongo } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import { type Company, companySearchTerms } from './company.ts';
import { type Companies, newestCompanies, openCompanies } from './company-store.ts';

/** Enough that no word of all of them counts as rare. */
const COUNT = 1100;

const mongo = testMongo();
const db = mongo.database();
const client = new MongoClient(mongo.url, { monitorCommands: true });
let companies: Companies;
beforeAll(async () => {
  companies = await openCompanies(client.db(db.databaseName), idleRelay(), systemClock);
  const listed = Array.from({ length: COUNT }, (_, index) => {
    const id = `com_${index}`;
    const name = `Nordlys ${index} ApS`;
    return { id, companyId: id, name, createdOrder: index, searchTerms: companySearchTerms(name) };
  });
  await insertEntities(db, 'companies', listed);
});
afterAll(async () => {
  await client.close();
  await mongo.close();
});

const idsOf = (found: readonly Company[]) => found.map(({ id }) => id);

describe('the list of companies', () => {
  it('the list of companies is read newest first from an index, also behind a page', async () => {
    const after = { createdOrder: 5, ids: ['com_5'] };
    expect(idsOf(await newestCompanies(companies, [], 2))).toEqual(['com_1099', 'com_1098']);
    expect(idsOf(await newestCompanies(companies, [], 2, after))).toEqual(['com_4', 'com_3']);
    const [plan] = await queryPlans(client, db, () => newestCompanies(companies, [], 2, after));
    expect(plan).toMatchObject({ index: 'newest', isUnindexed: false });
    expect(plan?.docsExamined).toBeLessThan(10);
  });

  it.each([
    ['a rare word', ['nordlys', '77'], ['search', 'search', 'newest'], ['com_1077', 'com_977']],
    ['frequent words', ['ordly', 'aps'], ['search', 'search', 'newest'], ['com_1099']],
    ['a word that no name has', ['zelda'], ['search'], []],
  ])('the list of companies is searched for %s without reading many of them', async (_what, words, indexes, found) => {
    const search = () => newestCompanies(companies, words, found.length || 1);
    expect(idsOf(await search())).toEqual(found);
    const plans = await queryPlans(client, db, search);
    expect(plans.map(({ index }) => index)).toEqual(indexes);
    // An index that is entered with the word reads no company.
    for (const { index, docsExamined } of plans) expect(docsExamined).toBeLessThanOrEqual(index === 'search' ? 0 : 101);
  });
});
