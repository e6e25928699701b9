import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testMongo } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import type { ChangedHour } from '../src/company-totals/company-totals.ts';
import { computeChanged, computeZone } from '../src/company-totals/compute-totals.ts';
import { type Facts, openFacts } from '../src/facts/fact-store.ts';
import type { Fact } from '../src/facts/fact.ts';
import type { ReportGroup } from '../src/totals/total.ts';
import { readReport } from '../src/reports/read-report.ts';
import { openTotals, type Totals } from '../src/totals/total-store.ts';

const mongo = testMongo();
let client: MongoClient;
let [facts, totals]: [Facts, Totals] = [undefined as never, undefined as never];

beforeAll(async () => {
  client = new MongoClient(mongo.url);
  const db = client.db(mongo.database('making').databaseName);
  [facts, totals] = [await openFacts(db), await openTotals(db)];
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

it.each<ReportGroup>(['weekday', 'hour_of_day', 'business_number', 'employee', 'day', 'hour'])(
  'a report by %s has no change of a day outside of it, also when making totals ended between days and months',
  async (groupBy) => {
    const companyId = `com_${groupBy}`;
    const of = zoneOf(companyId);
    await facts.putAll([fact(companyId, '2026-10-01', 0)]);
    await facts.putAll([fact(companyId, '2026-10-15', 0)]);
    await computeZone({ facts, totals }, { of, run: 1, renew });
    for (let n = 1; n <= 3; n++) await facts.putAll([fact(companyId, '2026-10-01', n)]);
    const changed: ChangedHour = {
      kind: 'calls',
      hour: Date.parse('2026-10-01T10:00:00Z'),
      businessNumberIds: ['num_1'],
      employeeIds: ['emp_1'],
      revision: 1,
      since: new Date(),
    };
    const killed: Totals = {
      ...totals,
      async write(zone, made, ...rest) {
        if (made.some(({ unit }) => unit === 'month')) throw new Error('killed');
        await totals.write(zone, made, ...rest);
      },
    };
    await expect(computeChanged({ facts, totals: killed }, { of, run: 2, renew }, [changed])).rejects.toThrow('killed');
    expect(await inbound(companyId, groupBy, '2026-10-02', '2026-10-31')).toEqual([1, 1]);
    await computeChanged({ facts, totals }, { of, run: 3, renew }, [changed]);
    expect(await inbound(companyId, groupBy, '2026-10-02', '2026-10-31')).toEqual([1, 1]);
    expect(await inbound(companyId, groupBy, '2026-10-01', '2026-10-31')).toEqual([5, 5]);
  },
);

it('a time zone that is made again has no total of an employee without calls', async () => {
  const companyId = 'com_again';
  const of = zoneOf(companyId);
  await facts.putAll([fact(companyId, '2026-10-01', 0, ['emp_1', 'emp_2'])]);
  await computeZone({ facts, totals }, { of, run: 1, renew });
  await facts.putAll([{ ...fact(companyId, '2026-10-01', 0, ['emp_1']), sequence: 2 }]);
  await computeZone({ facts, totals }, { of, run: 2, renew });
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_1')).toEqual([1, 1]);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31', 'emp_2')).toEqual([0, 0]);
});

it('totals of a time zone that a later run has written are not removed by an earlier one', async () => {
  const companyId = 'com_dropped';
  const of = zoneOf(companyId);
  await facts.putAll([fact(companyId, '2026-10-01', 0)]);
  await computeZone({ facts, totals }, { of, run: 5, renew });
  await totals.removeZone(companyId, of.zone, 4);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31')).toEqual([1, 1]);
  await totals.removeZone(companyId, of.zone, 5);
  expect(await inbound(companyId, 'day', '2026-10-01', '2026-10-31')).toEqual([0, 0]);
});
