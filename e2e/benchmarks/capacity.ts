// What a replica of each service carries: the CPU time of each kind of work in each service, every service in a process of its own, and how
// much of this work 0.7 of a core does. docs/operations.md has the numbers.
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@parley/testkit/wait-until';
import { processesBelow } from '../support/processes.ts';
import { warmUp } from '../support/warm-up.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { type CapacityWork, capacityWorks } from './capacity-works.ts';
import { cpuTimeMs, describeCpuTime, residentMb } from './measuring.ts';

/** What a replica may use all the time, in milliseconds a second: above it requests begin to wait. */
const BUSY_MS = 700;
const IDLE_SECS = 20;
const REST_SECS = 3;
/** All services together, beyond what they use at rest. */
const AT_REST_MS = 60;
const REST_WITHIN_MS = 240_000;
/** Not a part of an installation: the outside world, the engines and the broker. */
const isMeasured = (name: string) => !['sandbox', 'nats'].includes(name) && !name.startsWith('mongo');

export function benchmarkCapacity(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    await warmUp(stack.local);
    const services = Object.entries(stack.processes()).filter(([name]) => isMeasured(name));
    const bench = { stack, services, idleMs: {} };
    await atRest(bench);
    const idleMs = await msPerSecond(services, IDLE_SECS);
    console.log(`at rest, ms of CPU a second: ${describeCpuTime(idleMs)}`);
    console.log(`at rest, MB: ${describeMemory(services)}`);
    const carried: Record<string, Record<string, string>> = {};
    for (const work of capacityWorks) carried[work.name] = await measure({ ...bench, idleMs }, work);
    console.log(`at the end, MB: ${describeMemory(services)}`);
    console.log(`${BUSY_MS / 1000} of a core carries, a second:`);
    console.table(carried);
  });
}

type Services = readonly (readonly [name: string, pid: number])[];

interface Bench {
  readonly stack: BenchStack;
  readonly services: Services;
  readonly idleMs: Readonly<Record<string, number>>;
}

/** Does the work and waits until all that follows from it is done; what the services use at rest is not counted. */
async function measure(bench: Bench, work: CapacityWork): Promise<Record<string, string>> {
  const { services, idleMs, stack } = bench;
  const doIt = await work.prepare(stack.local);
  await atRest(bench);
  const before = cpuTimes(services);
  const started = performance.now();
  const units = await doIt();
  await atRest(bench);
  const secs = (performance.now() - started) / 1000;
  const after = cpuTimes(services);
  const ms = Object.fromEntries(
    services
      .map(([name]) => [name, (after[name]! - before[name]! - (idleMs[name] ?? 0) * secs) / units] as const)
      .filter(([name]) => work.of?.includes(name) ?? true),
  );
  console.log(`${work.name} (${units}), ms of CPU: ${describeCpuTime(ms, 3)}`);
  return Object.fromEntries(
    Object.entries(ms)
      .filter(([, each]) => each >= 0.001)
      .map(([name, each]) => [name, (BUSY_MS / each).toPrecision(2)]),
  );
}

async function atRest({ services, idleMs }: Pick<Bench, 'services' | 'idleMs'>): Promise<void> {
  const limit = AT_REST_MS + sum(Object.values(idleMs));
  const isAtRest = async () => sum(Object.values(await msPerSecond(services, REST_SECS))) < limit;
  await waitUntil(isAtRest, { what: 'rest', timeoutMs: REST_WITHIN_MS });
}

async function msPerSecond(services: Services, secs: number): Promise<Record<string, number>> {
  const before = cpuTimes(services);
  await sleep(secs * 1000);
  return Object.fromEntries(
    Object.entries(cpuTimes(services)).map(([name, ms]) => [name, (ms - before[name]!) / secs]),
  );
}

/** With the processes that a service has started: engines of speech. */
function cpuTimes(services: Services): Record<string, number> {
  return Object.fromEntries(services.map(([name, pid]) => [name, cpuTimeMs([pid, ...processesBelow(pid)])]));
}

function describeMemory(services: Services): string {
  const megabytes = services.map(([name, pid]) => [name, sum([pid, ...processesBelow(pid)].map(residentMb))] as const);
  return describeCpuTime(Object.fromEntries(megabytes), 0);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
