// Measures how soon the first attempt of an event is made, and how many deliveries a second one webhooks process makes, through the
// whole product, beside a bare sender that stores, posts and records the same number of deliveries.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { runBareSender } from './bare-chain/run-bare-sender.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { countCpuTime, describeCpuTime, percentile } from './measuring.ts';
import { describeEvents, receiveHistograms } from './reported-histograms.ts';

const EVENTS_PER_SECOND = 100;
const STEADY_SECS = 15;
/** Not counted: new processes compile what they run. */
const WARM_UP_SECS = 3;
const BURST_EVENTS = 500;
const BURST_WEBHOOKS = 10;
const BURSTS = 3;
/** The processes whose CPU time is the cost of a delivery: the receiver and the writers of the events are not counted. */
const COUNTED = ['webhooks', 'mongo-webhooks'];
const WRITERS = 16;
const DRAIN_MS_MAX = 120_000;
/** Changes of one contact, which are delivered one after the other. */
const CHANGES = 600;

interface Arrival {
  readonly receivedAtMs: number;
  readonly happenedAtMs: number;
}

/** A burst of deliveries. */
interface Burst {
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly msByProcess?: Readonly<Record<string, number>>;
}

/** The stages of an event before its first attempt; docs/operations.md describes them. */
const STAGES = [
  ['directory', 'parley_event_publish_delay_seconds'],
  ['webhooks', 'parley_follower_receive_delay_seconds'],
  ['webhooks', 'parley_follower_apply_delay_seconds'],
  ['webhooks', 'parley_webhook_start_delay_seconds'],
] as const;

export async function benchmarkWebhooks(): Promise<void> {
  const histograms = await receiveHistograms();
  await withStack({ processes: 'separate', environment: histograms.environment }, async (stack) => {
    const readAll = () => Promise.all(STAGES.map(([service, metric]) => histograms.read(service, metric)));
    const before = await readAll();
    await measureDelay(stack.local);
    for (const [index, stage] of (await readAll()).entries())
      console.log(`  ${stage.name}: ${describeEvents(before[index]!, stage)}`);
    await measureOneSubject(stack);
    const own: Burst[] = [];
    const bare: Burst[] = [];
    for (let round = 0; round < BURSTS; round += 1) {
      own.push(await deliverBurst(stack, round));
      const folder = path.join(stack.folder, `bare-${round}`);
      bare.push(await runBareSender(folder, hooksUrl(stack.local, 'bare'), BURST_EVENTS * BURST_WEBHOOKS));
    }
    printBursts(middleOf(own), middleOf(bare));
  }).finally(() => histograms.close());
}

function middleOf(bursts: readonly Burst[]): Burst {
  return bursts.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(bursts.length / 2)]!;
}

function printBursts(own: Burst, bare: Burst): void {
  const at = ({ perSecond }: Burst) => `${Math.round(perSecond)}/s`;
  console.log(
    `bursts of ${BURST_EVENTS * BURST_WEBHOOKS} deliveries: ${at(own)} (at least 1500 wanted), ${own.cpuMs.toFixed(2)} ms CPU each (at most 1 wanted), ` +
      `of which ${describeCpuTime(own.msByProcess ?? {})}`,
  );
  console.log(
    `bare sender ${at(bare)}, ${bare.cpuMs.toFixed(2)} ms CPU each; ` +
      `parley / bare sender, CPU time per delivery: ${(own.cpuMs / bare.cpuMs).toFixed(2)}`,
  );
}

/** From the time in the event, just before its commit, to the arrival of the first attempt. */
async function measureDelay(local: LocalJson): Promise<void> {
  const company = await createTestCompany(local);
  await subscribe(local, company, 'steady');
  const events = EVENTS_PER_SECOND * (WARM_UP_SECS + STEADY_SECS);
  const countedFromMs = Date.now() + WARM_UP_SECS * 1000;
  const started = performance.now();
  const creating: Promise<number>[] = [];
  for (let n = 0; n < events; n += 1) {
    creating.push(createContact(company, n));
    const aheadMs = (n / EVENTS_PER_SECOND) * 1000 - (performance.now() - started);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  const answersMs = (await Promise.all(creating)).slice(EVENTS_PER_SECOND * WARM_UP_SECS);
  const delaysMs = (await arrived(local, 'steady', events))
    .filter(({ happenedAtMs }) => happenedAtMs >= countedFromMs)
    .map(({ receivedAtMs, happenedAtMs }) => receivedAtMs - happenedAtMs);
  console.log(
    `${EVENTS_PER_SECOND} events/s: commit to first attempt ${percentiles(delaysMs)} (p50 20, p99 100 wanted); ` +
      `the requests that made them were answered within ${percentiles(answersMs)}`,
  );
}

/** Changes of one contact while they are delivered, beside a bare sender that makes one request at a time. */
async function measureOneSubject({ local, folder }: BenchStack): Promise<void> {
  const company = await createTestCompany(local);
  await subscribe(local, company, 'one-subject', 'contact.updated');
  const { body: contact } = await company.call('POST', '/contacts', { phone: '+4520000000', name: 'Contact' });
  const started = Date.now();
  const changing: Promise<{ status: number }>[] = [];
  for (let n = 0; n < CHANGES; n += 1) {
    changing.push(company.call('PATCH', `/contacts/${contact.id}`, { note: `${n}` }));
    const aheadMs = (n / EVENTS_PER_SECOND) * 1000 - (Date.now() - started);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  const refused = (await Promise.all(changing)).filter(({ status }) => status !== 200).length;
  if (refused > 0) throw new Error(`${refused} changes were refused`);
  const changedMs = Date.now() - started;
  const arrivals = await arrived(local, 'one-subject', CHANGES);
  const isInOrder = arrivals.every(({ happenedAtMs }, n) => n === 0 || happenedAtMs >= arrivals[n - 1]!.happenedAtMs);
  if (!isInOrder) throw new Error('not in order');
  const tookMs = Math.max(...arrivals.map(({ receivedAtMs }) => receivedAtMs)) - started;
  const delaysMs = arrivals.map(({ receivedAtMs, happenedAtMs }) => receivedAtMs - happenedAtMs);
  const bare = await runBareSender(path.join(folder, 'bare-one'), hooksUrl(local, 'bare-one'), CHANGES, 1);
  console.log(
    `${CHANGES} changes of one contact at ${Math.round((CHANGES / changedMs) * 1000)}/s: ` +
      `${Math.round((CHANGES / tookMs) * 1000)} deliveries/s (100 wanted), the last ${tookMs - changedMs} ms after the last change, ` +
      `commit to attempt ${percentiles(delaysMs)}; bare sender ${Math.round(bare.perSecond)}/s`,
  );
}

function percentiles(valuesMs: readonly number[]): string {
  const at = (share: number) => Math.round(percentile(valuesMs, share));
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** The process is halted while the events happen, so that what is measured is delivering alone. */
async function deliverBurst({ local, pidsOf, processes }: BenchStack, round: number): Promise<Burst> {
  const company = await createTestCompany(local);
  const hooks = Array.from({ length: BURST_WEBHOOKS }, (_, n) => `burst-${round}-${n}`);
  for (const hook of hooks) await subscribe(local, company, hook);
  const [sender = 0] = pidsOf('webhooks');
  process.kill(sender, 'SIGSTOP');
  try {
    for (let n = 0; n < BURST_EVENTS; n += WRITERS) {
      const some = Array.from({ length: Math.min(WRITERS, BURST_EVENTS - n) }, (_, index) => n + index);
      await Promise.all(some.map((number) => createContact(company, number)));
    }
  } finally {
    process.kill(sender, 'SIGCONT');
  }
  const startedAtMs = Date.now();
  const cpuTime = countCpuTime(Object.fromEntries(COUNTED.map((name) => [name, processes()[name] ?? 0])));
  const arrivals: Arrival[] = [];
  // One after the other: a list of what has arrived costs the receiver as much as hundreds of deliveries.
  for (const hook of hooks) arrivals.push(...(await arrived(local, hook, BURST_EVENTS)));
  const msByProcess = cpuTime(arrivals.length);
  const secs = (Math.max(...arrivals.map(({ receivedAtMs }) => receivedAtMs)) - startedAtMs) / 1000;
  const cpuMs = Object.values(msByProcess).reduce((sum, ms) => sum + ms, 0);
  return { cpuMs, perSecond: arrivals.length / secs, msByProcess };
}

function hooksUrl(local: LocalJson, hook: string): string {
  return `${local.sandbox_url}/hooks/${hook}`;
}

async function subscribe(local: LocalJson, company: Company, hook: string, event = 'contact.created'): Promise<void> {
  const url = hooksUrl(local, hook);
  const { status } = await company.call('POST', '/webhooks', { name: hook, url, events: [event] });
  if (status !== 201) throw new Error(`no webhook: ${status}`);
}

/** Resolves with the duration in milliseconds. */
async function createContact(company: Company, number: number): Promise<number> {
  const started = performance.now();
  const phone = `+4520${String(number).padStart(6, '0')}`;
  const { status } = await company.call('POST', '/contacts', { phone, name: `Contact ${number}` });
  if (status !== 201) throw new Error(`no contact: ${status}`);
  return performance.now() - started;
}

async function arrived(local: LocalJson, hook: string, howMany: number): Promise<Arrival[]> {
  const deadline = performance.now() + DRAIN_MS_MAX;
  for (;;) {
    const { body } = await sandbox(local, 'GET', `/hooks/${hook}`);
    if (body.length >= howMany) {
      return body.map((request: { received_at: string; body: { timestamp: string } }) => ({
        receivedAtMs: Date.parse(request.received_at),
        happenedAtMs: Date.parse(request.body.timestamp),
      }));
    }
    if (performance.now() > deadline) throw new Error(`${body.length} of ${howMany} arrived at ${hook}`);
    await sleep(500);
  }
}
