// How soon an event is tried, and how many deliveries a second one webhooks process makes, through the whole product,
// beside a bare sender that stores, posts and records the same number of deliveries.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { runBareSender } from './bare-chain/run-bare-sender.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { cpuTimeMs, percentile } from './measuring.ts';

const EVENTS_PER_SECOND = 100;
const STEADY_SECS = 15;
const BURST_EVENTS = 500;
const BURST_WEBHOOKS = 10;
const WRITERS = 16;
const DRAIN_MS_MAX = 120_000;

interface Arrival {
  readonly receivedAtMs: number;
  readonly happenedAtMs: number;
}

export function benchmarkWebhooks(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    await measureDelay(stack.local);
    const own = await measureThroughput(stack);
    const bare = await runBareSender(stack.folder, hooksUrl(stack.local, 'bare'), BURST_EVENTS * BURST_WEBHOOKS);
    console.log(
      `bare sender ${bare.cpuMs.toFixed(2)} ms CPU each, ${Math.round(bare.perSecond)}/s; ` +
        `parley / bare sender, CPU time per delivery: ${(own.cpuMs / bare.cpuMs).toFixed(2)}`,
    );
  });
}

/** From the time in the event, just before its commit, to the arrival of the first attempt. */
async function measureDelay(local: LocalJson): Promise<void> {
  const company = await createTestCompany(local);
  await subscribe(local, company, 'steady');
  const events = EVENTS_PER_SECOND * STEADY_SECS;
  const started = performance.now();
  const creating: Promise<number>[] = [];
  for (let n = 0; n < events; n += 1) {
    creating.push(createContact(company, n));
    const aheadMs = (n / EVENTS_PER_SECOND) * 1000 - (performance.now() - started);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  const answersMs = await Promise.all(creating);
  const arrivals = await arrived(local, 'steady', events);
  const delaysMs = arrivals.map(({ receivedAtMs, happenedAtMs }) => receivedAtMs - happenedAtMs);
  console.log(
    `${EVENTS_PER_SECOND} events/s: commit to first attempt ${percentiles(delaysMs)} (p99 below 500 wanted); ` +
      `the requests that made them were answered within ${percentiles(answersMs)}`,
  );
}

function percentiles(valuesMs: readonly number[]): string {
  const at = (share: number) => Math.round(percentile(valuesMs, share));
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** The process is halted while the events happen, so that what is measured is delivering alone. */
async function measureThroughput({ local, pidsOf }: BenchStack): Promise<{ cpuMs: number }> {
  const company = await createTestCompany(local);
  const hooks = Array.from({ length: BURST_WEBHOOKS }, (_, n) => `burst-${n}`);
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
  const cpuOf = () => cpuTimeMs(pidsOf('webhooks', 'mongo-webhooks'));
  const [startedAtMs, cpuBefore] = [Date.now(), cpuOf()];
  const arrivals = (await Promise.all(hooks.map((hook) => arrived(local, hook, BURST_EVENTS)))).flat();
  const secs = (Math.max(...arrivals.map(({ receivedAtMs }) => receivedAtMs)) - startedAtMs) / 1000;
  const cpuMs = (cpuOf() - cpuBefore) / arrivals.length;
  console.log(
    `${arrivals.length} deliveries in ${secs.toFixed(1)} s: ${Math.round(arrivals.length / secs)}/s (at least 1500 wanted); ` +
      `${cpuMs.toFixed(2)} ms CPU each in the service and its database (at most 1 wanted), so ${Math.round(2000 / cpuMs)}/s at most on two cores`,
  );
  return { cpuMs };
}

function hooksUrl(local: LocalJson, hook: string): string {
  return `${local.sandbox_url}/hooks/${hook}`;
}

async function subscribe(local: LocalJson, company: Company, hook: string): Promise<void> {
  const url = hooksUrl(local, hook);
  const { status } = await company.call('POST', '/webhooks', { name: hook, url, events: ['contact.created'] });
  if (status !== 201) throw new Error(`no webhook: ${status}`);
}

/** How long it took. */
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
