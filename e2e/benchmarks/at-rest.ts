// What the stack uses while nobody uses it: CPU time, memory and database commands, first as `npm start` runs it, then
// with each service in a process of its own.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { createTestCompany, operate, succeeded } from '../support/api.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { countCpuTime, describeCpuTime, memoryShareMb, residentMb } from './measuring.ts';

/** Timers are rarer after half a minute without work. */
const SETTLE_MS = 45_000;
const MEASURE_SECS = 60;
const WANTED = { cpuPercent: 2, commandsPerSecond: 5, memoryMb: 1024 };
/** No installation has them. */
const OTHERS = ['sandbox', 'mongo-sandbox'];

export async function benchmarkAtRest(): Promise<void> {
  await measureAtRest('one', 'all services in one process');
  await measureAtRest('separate', 'each service in a process of its own');
}

function measureAtRest(mode: 'one' | 'separate', title: string): Promise<void> {
  return withStack({ processes: mode }, async (stack) => {
    await createNumber(stack);
    const processes = Object.fromEntries(Object.entries(stack.processes()).filter(([name]) => !OTHERS.includes(name)));
    const engines = Object.entries(processes).filter(([name]) => name.startsWith('mongo-'));
    const clients = await Promise.all(
      engines.map(async ([name, pid]) => [name, await MongoClient.connect(urlOfEngine(pid))] as const),
    );
    await sleep(SETTLE_MS);

    const before = await countCommands(clients);
    const cpuTime = countCpuTime(processes);
    await sleep(MEASURE_SECS * 1000);
    const cpuMs = cpuTime(MEASURE_SECS);
    const after = await countCommands(clients);
    await Promise.all(clients.map(([, client]) => client.close()));

    const commands = Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, (count - (before[name] ?? 0)) / MEASURE_SECS]),
    );
    const percent = sum(Object.values(cpuMs)) / 10;
    const memory = Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, memoryShareMb(pid)]));
    const residentSum = sum(Object.values(processes).map(residentMb));
    console.log(
      `${title}: ${Object.keys(processes).length} processes use ${percent.toFixed(1)} % of a core (${WANTED.cpuPercent} wanted), ` +
        `${sum(Object.values(commands)).toFixed(1)} database commands/s (${WANTED.commandsPerSecond} wanted), ` +
        `${sum(Object.values(memory)).toFixed(0)} MB in RAM (${WANTED.memoryMb} wanted), ` +
        `${residentSum.toFixed(0)} MB where what they share is counted for each`,
    );
    console.log(`  CPU ms/s: ${describeCpuTime(cpuMs)}`);
    console.log(`  commands/s: ${describeCpuTime(commands)}`);
    console.log(`  MB: ${describeCpuTime(memory, 0)}`);
  });
}

/** What a service does only after its first work runs too. */
async function createNumber({ local }: BenchStack): Promise<void> {
  const company = await createTestCompany(local, { messaging_enabled: true });
  const body = { number: '+4570100000', name: 'Main', timezone: 'Europe/Copenhagen', language: 'en' };
  await succeeded(operate(local, 'POST', `/companies/${company.id}/business_numbers`, body));
}

/** An engine is started with its folder and the path of its socket. */
function urlOfEngine(pid: number): string {
  const socket = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .find((argument) => argument.endsWith('.sock'));
  if (!socket) throw new Error(`process ${pid} has no socket`);
  return `mongodb://${encodeURIComponent(socket)}/?directConnection=true&heartbeatFrequencyMS=600000`;
}

async function countCommands(clients: readonly (readonly [string, MongoClient])[]): Promise<Record<string, number>> {
  const counted = clients.map(async ([, client]) => {
    const { metrics } = await client.db('admin').command({ serverStatus: 1 });
    return Object.entries(metrics.commands as Record<string, { total?: unknown }>).map(
      ([command, { total }]) => [command, Number(total ?? 0)] as const,
    );
  });
  const totals: Record<string, number> = {};
  for (const [command, total] of (await Promise.all(counted)).flat())
    if (command !== 'serverStatus') totals[command] = (totals[command] ?? 0) + total;
  return totals;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
