// Reports of 400 days of a company with a million calls, beside the same report of one day, in one run. Totals are made by the service's
// own code from stored facts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMongo } from '@parley/embedded';
import { MongoClient } from 'mongodb';
import { computeZone } from '../../services/reports/src/company-totals/compute-totals.ts';
import { openFacts } from '../../services/reports/src/facts/fact-store.ts';
import type { Fact } from '../../services/reports/src/facts/fact.ts';
import type { ReportGroup } from '../../services/reports/src/totals/total.ts';
import { readReport } from '../../services/reports/src/reports/read-report.ts';
import { openTotals, type Totals } from '../../services/reports/src/totals/total-store.ts';
import { percentile } from './measuring.ts';

const CALLS = Number(process.env['PARLEY_BENCH_CALLS'] ?? 1_000_000);
const DAYS = 400;
const EMPLOYEES = 50;
const NUMBERS = 5;
const ROUNDS = 15;
const BATCH = 10_000;
const MS_MAX = 200;
const of = { companyId: 'com_1', kind: 'calls', zone: 'Europe/Copenhagen' } as const;
const FIRST_MS = Date.parse('2025-10-10T00:00:00Z');
const year = { from: '2025-10-20', to: '2026-11-12' };
const day = { from: '2026-03-18', to: '2026-03-18' };
const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}_${n}`);

export async function benchmarkReports(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  await using end = new AsyncDisposableStack();
  end.defer(() => rm(folder, { recursive: true, force: true }));
  const mongo = await startMongo({ dataDir: path.join(folder, 'mongo'), socketDir: folder, log: () => {} });
  end.defer(() => mongo.stop());
  const client = new MongoClient(mongo.url);
  end.defer(() => client.close());
  const db = client.db('reports');
  const [facts, totals] = [await openFacts(db), await openTotals(db)];
  for (let first = 0; first < CALLS; first += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, CALLS - first) }, (_, n) => stored(first + n));
    await db.collection('facts').insertMany(some as never[], { ordered: false });
  }
  const startedMs = performance.now();
  await computeZone({ facts, totals }, { of, run: 1, renew: async () => {} });
  const made = await db.collection('totals').countDocuments();
  const secs = (performance.now() - startedMs) / 1000;
  console.log(`${CALLS} calls: ${made} totals of a time zone made in ${secs.toFixed(1)} s`);

  let worst = 0;
  for (const [groupBy, groups] of [
    ['day', []],
    ['hour', []],
    ['weekday', []],
    ['hour_of_day', []],
    ['business_number', ids('num', NUMBERS)],
    ['employee', ids('emp', EMPLOYEES)],
  ] as [ReportGroup, string[]][]) {
    const [long, short] = [await timed(totals, groupBy, groups, year), await timed(totals, groupBy, groups, day)];
    worst = Math.max(worst, long.ms);
    console.log(
      `${groupBy}: ${long.rows} rows of 400 days ${long.ms.toFixed(1)} ms, ${short.rows} of one day ${short.ms.toFixed(1)} ms (p90)`,
    );
  }
  if (worst > MS_MAX) throw new Error(`a report took ${worst.toFixed(0)} ms; the limit is ${MS_MAX} ms`);
}

async function timed(totals: Totals, groupBy: ReportGroup, groups: readonly string[], range: typeof year) {
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now();
    const scope = { businessNumberId: '', employeeId: '' };
    rows = (await readReport(totals, { of, scope, ...range, groupBy }, groups)).rows.length;
    times.push(performance.now() - startedMs);
  }
  return { rows, ms: percentile(times, 0.9) };
}

/** A fact as it is stored; calls are spread evenly over the days, and over ten hours of each. */
function stored(n: number): object {
  const { id, ...fact } = factOf(n);
  return { _id: id, ...fact, _version: 1, _stamps: [], _deleted: false };
}

function factOf(n: number): Fact {
  const wait = (n * 7919) % 90;
  return {
    id: `call_${n}`,
    companyId: of.companyId,
    kind: of.kind,
    at: new Date(FIRST_MS + (n % DAYS) * 86_400_000 + (7 + ((n * 31) % 10)) * 3_600_000 + ((n * 104_729) % 3_600_000)),
    sequence: 3,
    readAt: null,
    storedAt: new Date(),
    businessNumberId: `num_${Math.floor(n / DAYS) % NUMBERS}`,
    employeeIds: [`emp_${(Math.floor(n / DAYS) * 13) % EMPLOYEES}`],
    cell: { counts: { inbound: 1, answeredInbound: 1, talkInbound: n % 600 }, spreads: { wait: { [wait]: 1 } } },
  };
}
