import { afterAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import { openCompanyTotals } from '../src/company-totals/company-totals-store.ts';
import { openFacts } from '../src/facts/fact-store.ts';
import { migrations } from '../src/migrations.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const bookkeeping = { _version: 1, _stamps: [], _deleted: false };
const company = {
  companyId: 'com_1',
  zones: ['Europe/Rome'],
  wantedZones: ['UTC'],
  run: 3,
  addingRun: 3,
  changed: [],
  revision: 0,
  epoch: 0,
  isBackfilled: true,
  due: null,
  ...bookkeeping,
};

describe('the migration to 0.3.0', () => {
  it('a company that 0.2 stored is read with every field, and a second run changes nothing', async () => {
    const db = mongo.database('company-totals-of-0-2');
    await db.collection<{ _id: string }>('company_totals').insertOne({ _id: 'com_1', ...company });
    for (let run = 0; run < 2; run++) for (const { run: migrate } of migrations) await migrate(db);
    const { zones, requestedZones, ...others } = (await (await openCompanyTotals(db, systemClock)).get('com_1'))!;
    expect([zones, requestedZones]).toEqual([['Europe/Rome'], ['UTC']]);
    expect(others).toEqual({
      id: 'com_1',
      companyId: 'com_1',
      zonesAddedAt: [],
      droppedZones: [],
      lastDropRun: 0,
      uncounted: null,
      counting: null,
      endedRun: 0,
      run: 3,
      epoch: 0,
      isBackfilled: true,
      due: null,
    });
  });

  it('totals that were made again without saying which facts they have are made anew', async () => {
    const db = mongo.database('company-totals-made-again');
    const companies = db.collection<{ _id: string; [name: string]: unknown }>('company_totals');
    await companies.insertMany([
      { _id: 'com_1', ...company, run: 4 },
      { _id: 'com_2', ...company, companyId: 'com_2', changed: [{ hour: 1 }] },
    ]);
    for (const { run } of migrations) await run(db);
    const stored = await openCompanyTotals(db, systemClock);
    expect([(await stored.get('com_1'))?.zones, (await stored.get('com_2'))?.zones]).toEqual([[], []]);
  });

  it('a fact that 0.2 stored is in totals as it is', async () => {
    const db = mongo.database('facts-of-0-2');
    const at = new Date('2026-11-16T12:00:00Z');
    const fact = { companyId: 'com_1', kind: 'calls', at, businessNumberId: 'num_1', employeeIds: [], ...bookkeeping };
    await db.collection<{ _id: string }>('facts').insertOne({ _id: 'cal_1', ...fact });
    for (const { run } of migrations) await run(db);
    const facts = await openFacts(db);
    const found = await Array.fromAsync(facts.between('com_1', 'calls', at.getTime(), at.getTime() + 1));
    expect(found).toMatchObject([{ id: 'cal_1', uncountedSince: null, countedAs: null, countedRun: 0 }]);
    expect(await facts.uncounted('com_1', 10)).toEqual([]);
  });
});
