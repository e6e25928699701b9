// Companies with histories of several sizes side by side: every list, page, search, report, thread and export of all of them, turn by turn;
// then what rebuilds, exports, erasures and retention of each take, and what two small companies notice of them.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { phone } from '../seed/history.ts';
import { pollUntil } from '../seed/poll-until.ts';
import { rebuildInbox, rebuildReports, seedCompany, type SeedOptions } from '../seed/seed-company.ts';
import { readSeedArguments } from '../seed/seed-arguments.ts';
import { type Company, succeeded } from '../support/api.ts';
import { type BenchStack, withStackAndMongo } from './bench-stack.ts';
import { percentile } from './measuring.ts';

/** From the smallest, which the others are compared with. The times of each size, its seeding included, follow from the one before. */
const SIZES = (process.env['PARLEY_BENCH_CALLS'] ?? '1000,20000,200000').split(',').map(Number);
const NEIGHBOUR_CALLS = 1000;
const ROUNDS = 20;
/** Half of the reads of a list that grows with history would be slower than this, and by this much. */
const SLOWER_MAX = { times: 1.5, ms: 10 };
/** Of the p95 of others. */
const NEIGHBOURS_TIMES_MAX = 1.2;
const NEIGHBOUR_PAUSE_MS = 50;
/** Neighbours are measured alone this long before an operation, and during it this long at most; then it has the machine for itself. */
const ALONE_MS = 10_000;
const BESIDE_MS_MAX = 60_000;
/** An operation that takes longer is reported as that, and the others follow. */
const OPERATION_MS_MAX = 20 * 60_000;
const DAY_MS = 86_400_000;
/** Calls of the first month are removed. */
const KEPT_DAYS = 515;

interface Subject {
  readonly company: Company;
  readonly options: SeedOptions;
}

interface Read {
  readonly what: string;
  readonly path: (subject: Subject) => string;
}

const day = (at: Date) => at.toISOString().slice(0, 10);
const daysBefore = ({ options }: Subject, days: number) => new Date(options.until.getTime() - days * DAY_MS);
const person = (index: number) => encodeURIComponent(phone(index));
const range = (subject: Subject, days: number) =>
  `from=${day(daysBefore(subject, days))}&to=${day(subject.options.until)}`;
const read = (what: string, address: string | Read['path']): Read => ({
  what,
  path: typeof address === 'string' ? () => address : address,
});

/** What answers with a page or with a bounded number of rows, however long the history is. */
const READS: readonly Read[] = [
  read('calls', '/calls?limit=50'),
  read('calls, the oldest', (of) => `/calls?limit=50&started_before=${daysBefore(of, 530).toISOString()}`),
  read('calls that ended', '/calls?limit=50&state=ended'),
  read('calls that wait', '/calls?limit=50&state=queued'),
  read('calls, outbound', '/calls?limit=50&direction=outbound'),
  read('calls of the most frequent caller', `/calls?limit=50&phone_number=${person(0)}`),
  read('calls with a frequent word', '/calls?limit=50&query=order'),
  read('calls with rare words', '/calls?limit=50&query=k1%20k2%20k3%20k4'),
  read('calls with a meaning', '/calls?limit=50&query=furniture%20arrives'),
  read('calls in progress', '/calls/active'),
  read('inbox', '/inbox?limit=50'),
  read('inbox, unseen', '/inbox?limit=50&unseen=true'),
  read('inbox, open', '/inbox?limit=50&state=open'),
  read('inbox, a first name', '/inbox?limit=50&query=anders'),
  read('inbox, digits', '/inbox?limit=50&query=2000'),
  read('thread of the most frequent caller', `/inbox/${person(0)}/activity?limit=50`),
  read('thread of somebody', (of) => `/inbox/${person(of.options.contacts - 1)}/activity?limit=50`),
  read('texts with a frequent word', '/messages?limit=50&query=saturday'),
  read('texts of the most frequent caller', `/messages?limit=50&query=order&phone_number=${person(0)}`),
  read('voicemails', '/voicemails?limit=50'),
  read('contacts', '/contacts?limit=50'),
  read('contacts, a first name', '/contacts?limit=50&query=anders'),
  read('contact of a number', `/contacts?phone=${person(3)}`),
  read('employees', '/employees'),
  read('business numbers', '/business_numbers'),
  read('report of calls, 30 days', '/reports/calls'),
  read('report of calls, a year by day', (of) => `/reports/calls?group_by=day&${range(of, 365)}`),
  read('report of calls, a year by employee', (of) => `/reports/calls?group_by=employee&${range(of, 365)}`),
  read('report of texts, a year by day', (of) => `/reports/messages?group_by=day&${range(of, 365)}`),
  read('live report', '/reports/live'),
  read('audit log', '/audit_events?limit=50'),
];

/** What names all of a history, or a time of it: these may grow with what they name. */
const NAMING: readonly Read[] = [
  read('unseen counts', '/activity/unseen'),
  read('all voicemails', '/voicemails'),
  read(
    'export of calls, a day',
    (of) => `/calls/export.csv?from=${day(daysBefore(of, 7))}&to=${day(daysBefore(of, 7))}`,
  ),
  read('export of all contacts', '/contacts/export.csv'),
];
const NAMING_ROUNDS = 3;

export function benchmarkHistory(): Promise<void> {
  return withStackAndMongo({ processes: 'one' }, async (stack, mongoUrl) => {
    const neighbours = [await seed(stack, mongoUrl, NEIGHBOUR_CALLS), await seed(stack, mongoUrl, NEIGHBOUR_CALLS)];
    const subjects: Subject[] = [];
    for (const calls of SIZES) subjects.push(await seed(stack, mongoUrl, calls));
    const growing = await compareReads(subjects);
    console.log(`| operation, s | ${SIZES.join(' | ')} | p50 of the others, ms | p95 | times alone |`);
    for (const [index, { what }] of operations(stack, subjects[0]!).entries()) {
      const measured: Measured[] = [];
      for (const subject of subjects)
        measured.push(await measureOperation(neighbours, operations(stack, subject)[index]!.work));
      const { beside, alone } = measured.at(-1)!;
      const times = percentile(beside, 0.95) / percentile(alone, 0.95);
      const secs = measured.map((one) => (one.isOver ? one.secs.toFixed(1) : `> ${OPERATION_MS_MAX / 1000}`));
      console.log(
        `| ${[what, ...secs, shown(beside, 0.5), shown(beside, 0.95), times.toFixed(2)].join(' | ')} |` +
          (times > NEIGHBOURS_TIMES_MAX ? ` (${NEIGHBOURS_TIMES_MAX} wanted)` : ''),
      );
    }
    if (growing.length > 0) throw new Error(`these grow with history: ${growing.join(', ')}`);
  });
}

interface Measured {
  readonly secs: number;
  readonly isOver: boolean;
  /** Times of the neighbours before the operation, and during it. */
  readonly alone: readonly number[];
  readonly beside: readonly number[];
}

async function measureOperation(
  neighbours: readonly Subject[],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<Measured> {
  const alone = await loadOf(neighbours, sleep(ALONE_MS));
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(OPERATION_MS_MAX);
  const working = work(signal);
  const beside = await loadOf(neighbours, Promise.race([working, sleep(BESIDE_MS_MAX)]));
  await working.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return { secs: (performance.now() - startedMs) / 1000, isOver: !signal.aborted, alone, beside };
}

async function seed(stack: BenchStack, mongoUrl: string, calls: number): Promise<Subject> {
  const options = readSeedArguments(['--calls', `${calls}`], new Date());
  console.log(`  ${calls} calls, ${options.texts} texts, ${options.contacts} contacts`);
  const target = { local: stack.local, dataDir: path.join(stack.folder, 'stack'), mongoUrl };
  const { company } = await seedCompany({ ...target, progress: (line) => console.log(`    ${line}`) }, options);
  return { company, options };
}

/** Prints each read for all sizes; what is slower for the longest history. */
async function compareReads(subjects: readonly Subject[]): Promise<string[]> {
  const growing: string[] = [];
  console.log(`| p50, ms | ${SIZES.join(' | ')} | p95 of the last | last to first |`);
  for (const one of [...READS, ...NAMING]) {
    const isNaming = NAMING.includes(one);
    const times = await turnByTurn(one, subjects, isNaming ? NAMING_ROUNDS : ROUNDS);
    const medians = times.map((own) => percentile(own, 0.5));
    const [before, after] = [medians[0]!, medians.at(-1)!];
    const columns = [...medians, percentile(times.at(-1)!, 0.95)].map((ms) => ms.toFixed(1));
    console.log(`| ${[one.what, ...columns, (after / before).toFixed(2)].join(' | ')} |`);
    const isSlower = after > before * SLOWER_MAX.times && after - before > SLOWER_MAX.ms;
    if (isSlower && !isNaming) growing.push(one.what);
  }
  return growing;
}

/** The times of each company. */
async function turnByTurn(one: Read, subjects: readonly Subject[], rounds: number): Promise<number[][]> {
  const times = subjects.map((): number[] => []);
  for (const subject of subjects) await timeMs(subject, one);
  for (let round = 0; round < rounds; round++)
    for (const [index, subject] of subjects.entries()) times[index]!.push(await timeMs(subject, one));
  return times;
}

async function timeMs(subject: Subject, one: Read): Promise<number> {
  const startedMs = performance.now();
  await succeeded(subject.company.call('GET', one.path(subject)));
  return performance.now() - startedMs;
}

/** The times of a light load of the neighbours until `work` is over. */
async function loadOf(neighbours: readonly Subject[], work: Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const loads = neighbours.map(async (neighbour) => {
    for (let index = 0; !isOver || index < READS.length; index++) {
      times.push(await timeMs(neighbour, READS[index % READS.length]!));
      await sleep(NEIGHBOUR_PAUSE_MS);
    }
  });
  await work.catch(() => {}).finally(() => (isOver = true));
  await Promise.all(loads);
  return times;
}

interface Operation {
  readonly what: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
}

function operations({ local }: BenchStack, subject: Subject): Operation[] {
  const { company } = subject;
  const all = { from: day(daysBefore(subject, 365)), to: day(subject.options.until) };
  return [
    {
      what: 'export of the calls of a year',
      work: async () => void (await succeeded(company.call('GET', `/calls/export.csv?from=${all.from}&to=${all.to}`))),
    },
    { what: 'rebuild of the reports', work: (signal) => rebuildReports(local, company, signal) },
    { what: 'rebuild of the inbox, which has everything', work: (signal) => rebuildInbox(local, company, signal) },
    { what: 'export of the most frequent caller', work: () => exportPerson(company, phone(0)) },
    { what: 'erasure of the most frequent caller', work: (signal) => erase(company, phone(0), signal) },
    { what: `retention: calls after ${KEPT_DAYS} days`, work: (signal) => retain(subject, signal) },
  ];
}

async function exportPerson(company: Company, number: string): Promise<void> {
  const { body } = await succeeded(company.call('POST', '/privacy/exports', { phone_number: number }));
  const response = await fetch(body.url, { headers: { 'X-Api-Key': company.apiKey } });
  if (!response.ok) throw new Error(`the export was answered ${response.status}`);
  for await (const _ of response.body ?? []);
}

async function erase(company: Company, number: string, signal: AbortSignal): Promise<void> {
  const { body } = await succeeded(company.call('POST', '/privacy/erasures', { phone_number: number }));
  const address = `/privacy/erasures/${body.id}`;
  await pollUntil(async () => (await succeeded(company.call('GET', address))).body.state === 'done', signal);
}

async function retain(subject: Subject, signal: AbortSignal): Promise<void> {
  const { company } = subject;
  const { body } = await succeeded(company.call('GET', '/privacy/retention'));
  await succeeded(company.call('PUT', '/privacy/retention', { ...body, calls_days: KEPT_DAYS }));
  const removed = `/calls?limit=1&started_before=${daysBefore(subject, KEPT_DAYS).toISOString()}`;
  await pollUntil(async () => (await succeeded(company.call('GET', removed))).body.calls.length === 0, signal);
}

const shown = (times: readonly number[], share: number) => percentile(times, share).toFixed(1);
