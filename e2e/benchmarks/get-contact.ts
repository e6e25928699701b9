// GET /contacts/:id through the whole product beside a bare Express -> gRPC -> MongoDB chain, in one run, turn by turn.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack } from '@parley/local';
import autocannon from 'autocannon';
import { foundCompany } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { cpuTimeMs } from './cpu-time.ts';

const ROUNDS = 4;
const REQUESTS = 4000;
const CONNECTIONS = 32;

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly pids: () => number[];
}

interface Measured {
  cpuMsPerRequest: number;
  requestsPerSecond: number;
  p99Ms: number;
}

export async function benchmarkGetContact(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const bare = await startBareChain(folder);
  const stack = await startStack({ dataDir: path.join(folder, 'stack'), processes: 'separate' });
  try {
    const company = await foundCompany({
      base_url: stack.baseUrl,
      operator_url: stack.operatorUrl,
      operator_token: stack.operatorToken,
      sandbox_url: stack.sandboxUrl,
    });
    const { body: contact } = await company.call('POST', '/contacts', {
      phone: '+4520304050',
      name: 'Contact 500',
      email: 'contact.500@example.dk',
      company_name: 'Example',
      note: 'A note of an ordinary length about somebody.',
    });
    const subjects: Subject[] = [
      { name: 'bare chain', url: `${bare.url}/api/v1/contacts/${bare.contactId}`, headers: {}, pids: () => bare.pids },
      {
        name: 'parley',
        url: `${stack.baseUrl}/api/v1/contacts/${contact.id}`,
        headers: { 'X-Api-Key': company.apiKey },
        pids: () => stack.processes().flatMap(({ pid }) => pid ?? []),
      },
    ];
    for (const subject of subjects) await measure(subject); // warm up
    const results: Measured[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, subject] of subjects.entries()) results[index]?.push(await measure(subject));
    }
    const [bareMedian, parleyMedian] = results.map(median);
    for (const [index, { name }] of subjects.entries()) print(name, median(results[index] ?? []));
    const ratio = (parleyMedian?.cpuMsPerRequest ?? 0) / (bareMedian?.cpuMsPerRequest ?? 1);
    console.log(`parley / bare chain, CPU time per request: ${ratio.toFixed(2)} (at most 1.70 wanted)`);
  } finally {
    await Promise.all([stack.stop(), bare.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure({ url, headers, pids }: Subject): Promise<Measured> {
  const before = cpuTimeMs(pids());
  const result = await autocannon({ url, headers, connections: CONNECTIONS, amount: REQUESTS });
  const cpu = cpuTimeMs(pids()) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { cpuMsPerRequest: cpu / REQUESTS, requestsPerSecond: REQUESTS / result.duration, p99Ms: result.latency.p99 };
}

function median(results: readonly Measured[]): Measured | undefined {
  return results.toSorted((a, b) => a.cpuMsPerRequest - b.cpuMsPerRequest)[Math.floor(results.length / 2)];
}

function print(name: string, measured: Measured | undefined): void {
  if (!measured) return;
  const { cpuMsPerRequest, requestsPerSecond, p99Ms } = measured;
  console.log(
    `${name.padEnd(12)} ${cpuMsPerRequest.toFixed(3)} ms CPU/request, ${requestsPerSecond.toFixed(0)} requests/s, p99 ${p99Ms} ms`,
  );
}
