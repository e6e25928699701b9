import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testMongo } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import { type Batches, openBatches } from '../src/company-totals/batch-store.ts';
import { computeZone } from '../src/company-totals/compute-totals.ts';
import { type CountDeps, countChanges, endBatch } from '../src/company-totals/count-changes.ts';
import { openHistories } from '../src/company-totals/histories.ts';
import { type Facts, openFacts } from '../src/facts/fact-store.ts';
import type { Fact } from '../src/facts/fact.ts';
import type { ReportGroup } from '../src/totals/total.ts';
import { readReport } from '../src/reports/read-report.ts';
import { openTotals, type Totals } from '../src/totals/total-store.ts';

const mongo = testMongo();
let client: MongoClient;
let [facts, totals, batches]: [Facts, Totals, Batches] = [undefined as never, undefined as never, undefined as never];

beforeAll(async () => {
  client = new MongoClient(mongo.url);
  const db = client.db(mongo.database('making').databaseName);
  [facts, totals, batches] = [await openFacts(db), await openTotals(db), openBatches(db)];
});

afterAll(async () => {
  await client?.close();
  await mongo.close();
});

function fact(companyId: string, date: string, n: number, employeeIds = ['emp_1']): Fact {
  return {
    id: `call_${companyId}_${date}_${n}`,
    companyId,
    kind: 'calls',
    at: new Date(`${date}T10:00:00Z`),
    sequence: 1,
    readAt: null,
    storedAt: new Date(),
    businessNumberId: 'num_1',
    employeeIds,
    cell: { counts: { inbound: 1 }, spreads: {} },
  };
}
const zoneOf = (companyId: string) => ({ companyId, kind: 'calls', zone: 'UTC' }) as const;
const renew = async () => undefined;
const inbound = async (companyId: string, groupBy: ReportGroup, from: string, to: string, employeeId = '') => {
  const query = { of: zoneOf(companyId), scope: { businessNumberId: '', employeeId }, from, to, groupBy };
  const { rows, total } = await readReport(totals, query, []);
  const inRows = rows.reduce((sum, { cell }) => sum + (cell.counts['inbound'] ?? 0), 0);
  return [inRows, total.counts['inbound'] ?? 0];
};

/** As the worker does it for a company whose totals were made before. */
const count = (companyId: string, run: number, deps: Partial<CountDeps> = {}) =>
  countChanges(
    { facts, histories: openHistories(facts), totals, batches, ...deps },
    { companyId, zones: ['UTC'], run, renew },
  );
const allGroups: ReportGroup[] = ['weekday', 'hour_of_day', 'business_number', 'employee', 'day', 'hour'];

async function expectReports(companyId: string, all: number, later: number): Promise<void> {
  for (const groupBy of allGroups) {
    expect(await inbound(companyId, groupBy, '2026-10-01', '2026-10-31')).toEqual([all, all]);
    expect(await inbound(companyId, groupBy, '2026-10-02', '2026-10-31')).toEqual([later, later]);
  }
}

/** Two facts in totals, and three more of the first day that are not. */
async function changedCompany(companyId: string): Promise<void> {
  await facts.putAll([fact(companyId, '2026-10-01', 0), fact(companyId, '2026-10-15', 0)], 1);
  await computeZone({ facts, totals }, { of: zoneOf(companyId), run: 1, renew });
  await facts.putAll([1, 2, 3].map((n) => fact(companyId, '2026-10-01', n)));
}

const killed = async () => {
  throw new Error('killed');
};

it.each<[string, () => Partial<CountDeps>]>([
  ['the changes were stored', () => ({ batches: { ...batches, write: killed } })],
  ['totals were changed', () => ({ totals: { ...totals, add: killed } })],
  [
    'all totals were changed',
    () => ({ totals: { ...totals, add: (changes, run) => totals.add(changes.slice(0, 3), run).then(killed) } }),
  ],
  ['facts were marked', () => ({ facts: { ...facts, setCounted: killed } })],
  [
    'all facts were marked',
    () => ({ facts: { ...facts, setCounted: (some, run) => facts.setCounted(some.slice(0, 1), run).then(killed) } }),
  ],
])('facts are counted once, also when a process ended before %s', async (before, deps) => {
  const companyId = `com_${before}`;
  await changedCompany(companyId);
  await expect(count(companyId, 2, deps())).rejects.toThrow('killed');
  // One of them changes before another process takes over.
  await facts.putAll([{ ...fact(companyId, '2026-10-01', 3, ['emp_2']), sequence: 2 }]);
  await endBatch({ facts, totals, batches }, companyId, 1);
  expect(await count(companyId, 3)).toBe(true);
  await expectReports(companyId, 5, 1);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_1')).toEqual([4, 4]);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_2')).toEqual([1, 1]);
  await count(companyId, 4);
  await expectReports(companyId, 5, 1);
  expect(await facts.uncounted(companyId, 10)).toEqual([]);
});

it('facts that change more totals than fit into one document are counted in several runs', async () => {
  const companyId = 'com_large';
  const zones = ['UTC', 'Europe/Copenhagen', 'Asia/Tokyo'];
  await facts.putAll(
    Array.from({ length: 900 }, (_, n) => ({
      ...fact(companyId, '2026-10-15', n, [`emp_${String(n).padStart(32, '0')}`]),
      businessNumberId: `num_${String(n % 300).padStart(32, '0')}`,
    })),
  );
  let run = 1;
  const deps = { facts, histories: openHistories(facts), totals, batches };
  const countOnce = () => countChanges(deps, { companyId, zones, run: ++run, renew });
  while (!(await countOnce()));
  expect(run).toBeGreaterThan(2);
  expect(await inbound(companyId, 'employee', '2026-10-01', '2026-10-31')).toEqual([900, 900]);
  expect(await facts.uncounted(companyId, 10)).toEqual([]);
});

it('a process that was overtaken while it changed totals changes nothing any more', async () => {
  const companyId = 'com_overtaken';
  await changedCompany(companyId);
  const overtaking: Totals = {
    ...totals,
    async add(changes, run) {
      await endBatch({ facts, totals, batches }, companyId, 1);
      await facts.putAll([fact(companyId, '2026-10-01', 4)]);
      await count(companyId, 3);
      await totals.add(changes, run);
    },
  };
  await count(companyId, 2, { totals: overtaking });
  await expectReports(companyId, 6, 1);
  await count(companyId, 4);
  await expectReports(companyId, 6, 1);
});

it('a fact that changes while it is counted is counted again', async () => {
  const companyId = 'com_meanwhile';
  await changedCompany(companyId);
  const changing: Totals = {
    ...totals,
    async add(changes, run) {
      await facts.putAll([{ ...fact(companyId, '2026-10-01', 2, ['emp_2']), sequence: 2 }]);
      await totals.add(changes, run);
    },
  };
  await count(companyId, 2, { totals: changing });
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_1')).toEqual([5, 5]);
  await count(companyId, 3);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_1')).toEqual([4, 4]);
  await expectReports(companyId, 5, 1);
});

it('a time zone that is made while facts wait to be counted has them once', async () => {
  const companyId = 'com_new_zone';
  await changedCompany(companyId);
  await computeZone({ facts, totals }, { of: zoneOf(companyId), run: 2, renew });
  await expectReports(companyId, 2, 1);
  await count(companyId, 3);
  await expectReports(companyId, 5, 1);
});

it('a time zone that is made again has no total of an employee without calls', async () => {
  const companyId = 'com_again';
  const of = zoneOf(companyId);
  await facts.putAll([fact(companyId, '2026-10-01', 0, ['emp_1', 'emp_2'])], 1);
  await computeZone({ facts, totals }, { of, run: 1, renew });
  await facts.putAll([{ ...fact(companyId, '2026-10-01', 0, ['emp_1']), sequence: 2 }], 2);
  await computeZone({ facts, totals }, { of, run: 2, renew });
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_1')).toEqual([1, 1]);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_2')).toEqual([0, 0]);
});

it('totals of a time zone that a later run has written are not removed by an earlier one', async () => {
  const companyId = 'com_dropped';
  const of = zoneOf(companyId);
  await facts.putAll([fact(companyId, '2026-10-01', 0)], 5);
  await computeZone({ facts, totals }, { of, run: 5, renew });
  await totals.removeZone(companyId, of.zone, 4);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31')).toEqual([1, 1]);
  await totals.removeZone(companyId, of.zone, 5);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31')).toEqual([0, 0]);
});
