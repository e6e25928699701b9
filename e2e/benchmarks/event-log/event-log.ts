// The event log: what recording an event costs, a page of 50 at the beginning and the end of a large log, how soon an event is on the
// live channel, and how fast a reader catches up. `PARLEY_BENCH_EVENTS=20000` stores fewer events than a million.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginRecording, readPage } from '../../events/read-events.ts';
import { type Company, createTestCompany, succeeded } from '../../support/api.ts';
import { type BenchStack, withStack } from '../bench-stack.ts';
import {
  countCpuTime,
  cpuTimeMs,
  describeCpuTime,
  idleCpuTime,
  interleaved,
  percentile,
  printRounds,
  type Round,
} from '../measuring.ts';
import { followChannel } from './channel-reader.ts';
import { openEventWriter } from './stored-events.ts';

const STORED = Number(process.env['PARLEY_BENCH_EVENTS'] ?? 1_000_000);
const PAGE = 50;
const PAGE_REQUESTS = 150;
const ROUNDS = 3;
const RECORDED = 1500;
const WRITERS = 8;
/** A process that uses less CPU time than this within that time has nothing to do. */
const SETTLE_MS = 2000;
const IDLE_MS_MAX = 60;
const PER_SECOND = 100;
const STEADY_SECS = 15;
/** Not counted: new processes compile what they run. */
const WARM_UP_SECS = 3;
const CATCH_UP = 30_000;
/** Of a request to read events, and of recording one. */
const READING = ['gateway', 'webhooks', 'mongo-webhooks'];
const RECORDING = ['webhooks', 'mongo-webhooks'];

export function benchmarkEventLog(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    await measureRecording(stack);
    await measureDelay(stack);
    const company = await createTestCompany(stack.local);
    const places = await fill(stack, company);
    await measurePages(stack, company, places);
    await measureCatchUp(stack, company, places.get('beginning')!);
  });
}

/**
 * The same changes of a company whose events are recorded and of one that does not use the log, turn by turn. The process is halted while they
 * happen, so that what is measured is recording alone, in groups as under load.
 */
async function measureRecording(stack: BenchStack): Promise<void> {
  const unused = await createTestCompany(stack.local);
  const used = await createTestCompany(stack.local);
  await beginRecording(used);
  const subjects = [
    { name: 'log is not used', company: unused },
    { name: 'events are recorded', company: used },
  ];
  let created = 0;
  const [webhooks = 0] = stack.pidsOf('webhooks');
  const rounds = await interleaved(subjects, ROUNDS, async ({ company }): Promise<Round> => {
    process.kill(webhooks, 'SIGSTOP');
    const started = performance.now();
    const answersMs = await createContacts(company, created, RECORDED).finally(() => process.kill(webhooks, 'SIGCONT'));
    const secs = (performance.now() - started) / 1000;
    created += RECORDED;
    const cpuTime = countCpuTime(processesOf(stack, RECORDING));
    await settled(webhooks);
    const msByProcess = cpuTime(RECORDED);
    return { ...roundOf(msByProcess, RECORDED / secs, answersMs), msByProcess };
  });
  printRounds('event-log, recording', subjects, rounds);
  const [without = 0, recorded = 0] = rounds.map((round) => round?.cpuMsPerRequest);
  console.log(`recording costs ${(recorded - without).toFixed(3)} ms CPU per event (at most 0.3 wanted)`);
}

/** Until a process has next to nothing to do. */
async function settled(pid: number): Promise<void> {
  for (;;) {
    const before = cpuTimeMs([pid]);
    await sleep(SETTLE_MS);
    if (cpuTimeMs([pid]) - before < IDLE_MS_MAX) return;
  }
}

/** From the time in the event, just before its commit, to its arrival. */
async function measureDelay({ local }: BenchStack): Promise<void> {
  const company = await createTestCompany(local);
  const count = PER_SECOND * (WARM_UP_SECS + STEADY_SECS);
  const { confirmed, received } = followChannel(local, company, { after: await beginRecording(company), count });
  await confirmed;
  const countedFromMs = Date.now() + WARM_UP_SECS * 1000;
  const started = performance.now();
  const creating: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    creating.push(createContact(company, n));
    const aheadMs = (n / PER_SECOND) * 1000 - (performance.now() - started);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  await Promise.all(creating);
  const delaysMs = (await received)
    .filter(({ happenedAtMs }) => happenedAtMs >= countedFromMs)
    .map(({ receivedAtMs, happenedAtMs }) => receivedAtMs - happenedAtMs);
  const [p50, p99] = [percentile(delaysMs, 0.5), percentile(delaysMs, 0.99)];
  console.log(`${PER_SECOND} events/s: change to channel p50 ${p50} ms, p99 ${p99} ms (30 and 200 wanted)`);
}

/** Fills the log; the cursor in front of each place. */
async function fill({ folder }: BenchStack, company: Company): Promise<Map<string, string>> {
  await using end = new AsyncDisposableStack();
  const cursors = new Map<string, string>([['beginning', await beginRecording(company)]]);
  const writer = await openEventWriter(path.join(folder, 'stack'), company, end);
  const started = performance.now();
  for (const name of ['middle', 'end']) {
    await writer.add(STORED / 2);
    cursors.set(name, await cursorOfNow(company));
  }
  await writer.add(PAGE * 2);
  console.log(`${STORED} events stored in ${Math.round((performance.now() - started) / 1000)} s`);
  return cursors;
}

async function cursorOfNow(company: Company): Promise<string> {
  const { next_cursor: cursor } = await readPage(company, { from: new Date(Date.now() + 60_000).toISOString() });
  return cursor;
}

async function measurePages(stack: BenchStack, company: Company, cursors: ReadonlyMap<string, string>): Promise<void> {
  const subjects = [...cursors].map(([name, after]) => ({ name, query: { after, limit: `${PAGE}` } }));
  const p95Ms = new Map<string, number[]>();
  const idleMsPerSecond = await idleCpuTime(Object.values(processesOf(stack, READING)));
  const rounds = await interleaved(subjects, ROUNDS, async ({ name, query }): Promise<Round> => {
    const cpuTime = countCpuTime(processesOf(stack, READING));
    const started = performance.now();
    const answersMs: number[] = [];
    for (let n = 0; n < PAGE_REQUESTS; n += 1) {
      const begun = performance.now();
      const { events } = await readPage(company, query);
      answersMs.push(performance.now() - begun);
      if (events.length !== PAGE) throw new Error(`${events.length} events at the ${name}`);
    }
    const secs = (performance.now() - started) / 1000;
    const msByProcess = cpuTime(PAGE_REQUESTS);
    p95Ms.set(name, [...(p95Ms.get(name) ?? []), percentile(answersMs, 0.95)]);
    const round = roundOf(msByProcess, PAGE_REQUESTS / secs, answersMs);
    // What idle processes use anyway is no cost of a request; on a busy machine it would be most of it.
    return { ...round, cpuMsPerRequest: round.cpuMsPerRequest - (idleMsPerSecond * secs) / PAGE_REQUESTS, msByProcess };
  });
  printRounds(`event-log, GET /events of ${PAGE} at ${STORED}`, subjects, rounds);
  for (const [name, values] of p95Ms)
    console.log(`${name}: p95 ${percentile(values.slice(1), 0.5).toFixed(1)} ms (20 wanted; 5 ms CPU)`);
}

async function measureCatchUp(stack: BenchStack, company: Company, after: string): Promise<void> {
  const count = Math.min(CATCH_UP, STORED);
  for (const what of ['to warm up', 'measured']) {
    const cpuTime = countCpuTime(processesOf(stack, READING));
    const started = performance.now();
    await followChannel(stack.local, company, { after, count }).received;
    const perSecond = count / ((performance.now() - started) / 1000);
    console.log(
      `catch-up of ${count} events, ${what}: ${Math.round(perSecond)}/s (1000 wanted), ms CPU per event: ${describeCpuTime(cpuTime(count), 3)}`,
    );
  }
}

function roundOf(
  msByProcess: Readonly<Record<string, number>>,
  perSecond: number,
  answersMs: readonly number[],
): Round {
  const cpuMsPerRequest = Object.values(msByProcess).reduce((sum, ms) => sum + ms, 0);
  return { cpuMsPerRequest, requestsPerSecond: perSecond, p99Ms: percentile(answersMs, 0.99) };
}

function processesOf({ processes }: BenchStack, names: readonly string[]): Record<string, number> {
  const pids = processes();
  return Object.fromEntries(names.map((name) => [name, pids[name]!]));
}

/** The durations of the requests. */
async function createContacts(company: Company, from: number, count: number): Promise<number[]> {
  const numbers = Array.from({ length: count }, (_, n) => from + n).values();
  const write = async () => {
    const answersMs: number[] = [];
    for (const number of numbers) answersMs.push(await createContact(company, number));
    return answersMs;
  };
  return (await Promise.all(Array.from({ length: WRITERS }, write))).flat();
}

async function createContact(company: Company, number: number): Promise<number> {
  const started = performance.now();
  const phone = `+4520${String(number).padStart(6, '0')}`;
  await succeeded(company.call('POST', '/contacts', { phone, name: `Contact ${number}` }));
  return performance.now() - started;
}
