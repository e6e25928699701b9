// GET /inbox with fifty threads, of a company with few business numbers and of one with hundreds, beside a bare
// Express -> gRPC -> MongoDB chain that reads one document, in one run, turn by turn.
import autocannon from 'autocannon';
import { type Company, createTestCompany, operate, sandbox, succeeded } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { countCpuTime, cpuTimeMs, idleCpuTime, interleaved, printRounds, type Round } from './measuring.ts';

const ROUNDS = 3;
const REQUESTS = 400;
const CONNECTIONS = 8;
const THREADS = 50;
const [FEW_NUMBERS, MANY_NUMBERS] = [4, Number(process.env['PARLEY_BENCH_NUMBERS'] ?? 200)];
const CPU_MS_MAX = 4;

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly processes: Readonly<Record<string, number>>;
  readonly idleMsPerSecond: number;
}

export function benchmarkInboxPage(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    const bare = await startBareChain(stack.folder);
    try {
      const few = await companyWithThreads(stack, FEW_NUMBERS, 1);
      const many = await companyWithThreads(stack, MANY_NUMBERS, 2);
      const url = `${stack.local.base_url}/api/v1/inbox?limit=${THREADS}`;
      const parley = { url, processes: stack.processes(), idleMsPerSecond: await idleCpuTime(stack.pidsOf()) };
      const subjects: Subject[] = [
        {
          name: 'bare chain',
          url: `${bare.url}/api/v1/contacts/${bare.contactId}`,
          headers: {},
          processes: Object.fromEntries(bare.pids.map((pid) => [String(pid), pid])),
          idleMsPerSecond: 0,
        },
        { name: `${FEW_NUMBERS} numbers`, headers: { 'X-Api-Key': few.apiKey }, ...parley },
        { name: `${MANY_NUMBERS} numbers`, headers: { 'X-Api-Key': many.apiKey }, ...parley },
      ];
      const rounds = await interleaved(subjects, ROUNDS, measure);
      printRounds('inbox-page', subjects, rounds);
      const ratio = (rounds[1]?.cpuMsPerRequest ?? 0) / (rounds[0]?.cpuMsPerRequest ?? 1);
      console.log(`a page of ${THREADS} threads / bare chain: ${ratio.toFixed(2)}; at most ${CPU_MS_MAX} ms wanted`);
    } finally {
      await bare.stop();
    }
  });
}

/** Threads with texts and calls' contacts, spread over its business numbers. */
async function companyWithThreads({ local }: BenchStack, count: number, prefix: number): Promise<Company> {
  const company = await createTestCompany(local, { messaging_enabled: true });
  const numbers = Array.from({ length: count }, (_, n) => `+457${prefix}${100_000 + n}`);
  for (const [n, number] of numbers.entries()) {
    const body = { number, name: `Number ${n}`, timezone: 'Europe/Copenhagen', language: 'en' };
    await succeeded(operate(local, 'POST', `/companies/${company.id}/business_numbers`, body));
  }
  for (let n = 0; n < THREADS; n++) {
    const from = `+4520${prefix}${10_000 + n}`;
    await succeeded(company.call('POST', '/contacts', { phone: from, name: `Contact ${n}` }));
    const text = { from, to: numbers[n % numbers.length], text: `Text ${n} of an ordinary length, as people write it` };
    await succeeded(sandbox(local, 'POST', '/messages', text));
  }
  return company;
}

async function measure({ url, headers, processes, idleMsPerSecond }: Subject): Promise<Round> {
  const used = countCpuTime(processes);
  const before = cpuTimeMs(Object.values(processes));
  const result = await autocannon({ url, headers, connections: CONNECTIONS, amount: REQUESTS });
  const cpu = cpuTimeMs(Object.values(processes)) - before - idleMsPerSecond * result.duration;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return {
    cpuMsPerRequest: cpu / REQUESTS,
    requestsPerSecond: REQUESTS / result.duration,
    p99Ms: result.latency.p99,
    msByProcess: used(REQUESTS),
  };
}
