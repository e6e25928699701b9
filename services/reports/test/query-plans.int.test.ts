import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { queryPlans, testMongo } from '@parley/testkit';
import { type Db, MongoClient } from 'mongodb';
import { openBatches } from '../src/company-totals/batch-store.ts';
import { countChanges } from '../src/company-totals/count-changes.ts';
import { openHistories } from '../src/company-totals/histories.ts';
import { openFacts, type Facts } from '../src/facts/fact-store.ts';
import type { Fact } from '../src/facts/fact.ts';
import { readReport } from '../src/reports/read-report.ts';
import { daySums, monthTotals, type ReportGroup } from '../src/totals/total.ts';
import { openTotals, type Totals } from '../src/totals/total-store.ts';

const DAYS = 400;
const EMPLOYEES = 10;
const NUMBERS = 3;
const of = { companyId: 'com_1', kind: 'calls', zone: 'Europe/Copenhagen' } as const;
const everybody = { businessNumberId: '', employeeId: '' };

const mongo = testMongo();
let client: MongoClient;
let db: Db;
let totals: Totals;
let facts: Facts;

function fact(n: number): Fact {
  return {
    id: `call_${n}`,
    companyId: of.companyId,
    kind: of.kind,
    at: new Date(Date.parse('2025-10-01T10:00:00Z') + (n % DAYS) * 86_400_000 + n * 1000),
    sequence: 1,
    readAt: null,
    storedAt: new Date(),
    businessNumberId: `num_${n % NUMBERS}`,
    employeeIds: [`emp_${n % EMPLOYEES}`],
    cell: { counts: { inbound: 1 }, spreads: { wait: { [n % 60]: 1 } } },
  };
}

beforeAll(async () => {
  client = new MongoClient(mongo.url, { monitorCommands: true });
  db = client.db(mongo.database('plans').databaseName);
  [totals, facts] = [await openTotals(db), await openFacts(db)];
  const all = Array.from({ length: DAYS * 4 }, (_, n) => fact(n));
  await facts.putAll(all.slice(0, 500));
  for (const zone of [of.zone, 'Asia/Tokyo']) {
    const sums = daySums(zone);
    for (const one of all) sums.add(one);
    const days = sums.days();
    await totals.write({ ...of, zone }, [...days, ...monthTotals(days)], 1);
  }
});

afterAll(async () => {
  await client?.close();
  await mongo.close();
});

/** A year and a bit, in no month from its first to its last day. */
const range = { from: '2025-10-16', to: '2026-11-04' };
const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}_${n}`);

it.each<[ReportGroup, number, string[]]>([
  ['day', 1, []],
  ['hour', 1, []],
  ['weekday', 7, []],
  ['hour_of_day', 2, []],
  ['business_number', 42, ids('num', NUMBERS)],
  ['employee', 42, ids('emp', EMPLOYEES)],
])('a report by %s reads at most %d documents for each row', async (groupBy, perRow, groups) => {
  let rows = 0;
  const plans = await queryPlans(client, db, async () => {
    rows = (await readReport(totals, { of, scope: everybody, ...range, groupBy }, groups)).rows.length;
  });
  const examined = plans.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
  expect(plans.filter(({ isUnindexed }) => isUnindexed)).toEqual([]);
  expect(plans.every(({ docsExamined, returned }) => docsExamined === returned)).toBe(true);
  // The totals of groups are read besides.
  expect(examined).toBeLessThanOrEqual(perRow * (rows + (groups.length > 0 ? 1 : 0)));
});

it('the facts of people are read through an index, and no others', async () => {
  const people = { person: 'one', contact: 'asks' } as const;
  for (const n of [1, 2, 3]) await facts.putAll([{ ...fact(n), id: `msg_${n}`, kind: 'messages', ...people }]);
  const start = fact(2).at.getTime();
  const plans = await queryPlans(client, db, async () => {
    await Array.fromAsync(facts.ofPeople(of.companyId, ['one', 'two'], start, start + 7 * 86_400_000));
  });
  expect(plans).toMatchObject([{ index: 'by_person', isUnindexed: false, docsExamined: 2 }]);
});

it('the facts of a day are read through an index, and no others', async () => {
  const start = Date.parse('2025-11-01T00:00:00Z');
  const plans = await queryPlans(client, db, async () => {
    await Array.fromAsync(facts.between(of.companyId, of.kind, start, start + 86_400_000));
    await facts.span(of.companyId, of.kind);
  });
  expect(plans.map(({ index }) => index)).toEqual(['by_time', 'by_time', 'by_time']);
  expect(plans.every(({ docsExamined, isUnindexed }) => docsExamined <= 4 && !isUnindexed)).toBe(true);
});

/** Counts what has changed in a company, as one process does. */
function counting(companyId: string) {
  let run = 0;
  const deps = { facts, histories: openHistories(facts), totals, batches: openBatches(db) };
  return () => countChanges(deps, { companyId, zones: [of.zone], run: (run += 1), renew: async () => undefined });
}

const text = (companyId: string, n: number, person: string): Fact => ({
  ...fact(0),
  id: `${companyId}_text_${n}`,
  companyId,
  kind: 'messages',
  at: new Date(fact(0).at.getTime() + n * 1000),
  person,
  contact: 'asks',
});

it('counting a text reads as many documents however many facts its day has', async () => {
  const companyId = 'com_counting';
  const count = counting(companyId);
  /** Documents that counting one more text of a person who has texted twice reads. */
  const examinedWith = async (others: number, first: number) => {
    const person = `person_${first}`;
    const more = Array.from({ length: others }, (_, n) => text(companyId, first + n, `other_${n % 20}`));
    await facts.putAll([...more, text(companyId, first + others, person), text(companyId, first + others + 1, person)]);
    await count();
    await facts.putAll([text(companyId, first + others + 2, person)]);
    const plans = await queryPlans(client, db, count);
    expect(plans.filter(({ isUnindexed }) => isUnindexed)).toEqual([]);
    expect(plans.map(({ index }) => index)).toEqual(expect.arrayContaining(['uncounted', 'by_person']));
    return plans.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
  };
  const few = await examinedWith(10, 0);
  // Eight totals, read and written; the text, and those before it.
  expect(few).toBeLessThanOrEqual(21);
  expect(await examinedWith(900, 1000)).toBe(few);
});

it('counting one more text of a person reads as many documents however many texts the person has had', async () => {
  const DAY_SECS = 86_400;
  /** Documents that counting further texts reads, each after so many texts an hour of the person. */
  const examinedWith = async (perHour: number, person: string) => {
    const companyId = `com_${person}`;
    const count = counting(companyId);
    const own = (n: number, secs: number) => ({ ...text(companyId, secs, person), id: `${person}_${n}` });
    const hours = Array.from({ length: 24 * 9 }, (_, hour) => hour * 3600);
    await facts.putAll(hours.flatMap((hour) => Array.from({ length: perHour }, (_, n) => own(hour + n, hour + n))));
    while (!(await count()));
    const countMore = async (n: number) => {
      await facts.putAll([own(1_000_000 + n, 9 * DAY_SECS + n)]);
      const plans = await queryPlans(client, db, count);
      expect(plans.filter(({ isUnindexed }) => isUnindexed)).toEqual([]);
      return plans.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
    };
    const first = [await countMore(0), await countMore(1)];
    return { first, others: [await countMore(2), await countMore(3)] };
  };
  const few = await examinedWith(1, 'few');
  const many = await examinedWith(10, 'many');
  expect(many.others).toEqual(few.others);
  expect(Math.max(...many.others)).toBeLessThanOrEqual(21);
  // The first text in an hour of the day needs that of the day before; of 2160 texts, a week is read for it, and a day for the next one.
  expect(Math.max(...many.first)).toBeLessThanOrEqual(2000);
});

it('a change of the status of a text reads none of its person', async () => {
  const companyId = 'com_status';
  const count = counting(companyId);
  const texts = Array.from({ length: 20 }, (_, n) => text(companyId, n, 'one'));
  await facts.putAll(texts);
  await count();
  await facts.putAll([{ ...texts[3]!, sequence: 2, cell: { counts: { sent: 1, delivered: 1 }, spreads: {} } }]);
  const plans = await queryPlans(client, db, count);
  expect(plans.map(({ index }) => index)).not.toContain('by_person');
});
