// POST /business_numbers/:id/messages until the provider has accepted the text, beside one write through a bare
// Express -> gRPC -> MongoDB chain, in one run, turn by turn. The sandbox, which is the provider, is not counted.
import autocannon from 'autocannon';
import { createTestCompany, operate, succeeded } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { countCpuTime, cpuTimeMs, idleCpuTime, interleaved, printRounds, type Round } from './measuring.ts';

const ROUNDS = 3;
const REQUESTS = 250;
const CONNECTIONS = 8;
/** With fewer than thirty texts of each in all rounds together: that is the limit of a minute. */
const NUMBERS = 40;
const CPU_MS_MAX = 10;
/** Not on the way of a text. */
const OTHERS = ['sandbox', 'speech', 'mongo-sandbox'];

interface Subject {
  readonly name: string;
  readonly processes: Readonly<Record<string, number>>;
  readonly idleMsPerSecond: number;
  readonly request: (n: number) => {
    readonly method: 'PATCH' | 'POST';
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly body: unknown;
  };
}

export function benchmarkSendMessage(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    const bare = await startBareChain(stack.folder);
    try {
      const { apiKey, numberIds } = await companyWithNumbers(stack);
      const counted = Object.entries(stack.processes()).filter(([name]) => !OTHERS.includes(name));
      const subjects: Subject[] = [
        {
          name: 'bare chain',
          processes: Object.fromEntries(bare.pids.map((pid) => [String(pid), pid])),
          idleMsPerSecond: 0,
          request: (n) => ({
            method: 'PATCH',
            url: `${bare.url}/api/v1/contacts/con_${n % 500}`,
            headers: {},
            body: { note: `Note ${n} of ${performance.now()}` },
          }),
        },
        {
          name: 'send a text',
          processes: Object.fromEntries(counted),
          idleMsPerSecond: await idleCpuTime(counted.map(([, pid]) => pid)),
          request: (n) => ({
            method: 'POST',
            url: `${stack.local.base_url}/api/v1/business_numbers/${numberIds[n % NUMBERS]}/messages`,
            headers: { 'X-Api-Key': apiKey },
            body: {
              to: `+4520${200_000 + (n % 200)}`,
              text: `Text ${n} of an ordinary length, as people write it`,
              idempotency_key: `bench-${n}`,
            },
          }),
        },
      ];
      const rounds = await interleaved(subjects, ROUNDS, measure);
      printRounds('send-message', subjects, rounds);
      const ratio = (rounds[1]?.cpuMsPerRequest ?? 0) / (rounds[0]?.cpuMsPerRequest ?? 1);
      console.log(`a text / a write of the bare chain: ${ratio.toFixed(2)}; at most ${CPU_MS_MAX} ms wanted`);
    } finally {
      await bare.stop();
    }
  });
}

async function companyWithNumbers({ local }: BenchStack): Promise<{ apiKey: string; numberIds: string[] }> {
  const company = await createTestCompany(local, { messaging_enabled: true });
  const numberIds: string[] = [];
  for (let n = 0; n < NUMBERS; n++) {
    const body = { number: `+4570${100_000 + n}`, name: `Number ${n}`, timezone: 'Europe/Copenhagen', language: 'en' };
    const created = await succeeded(operate(local, 'POST', `/companies/${company.id}/business_numbers`, body));
    numberIds.push(created.body.id);
  }
  return { apiKey: company.apiKey, numberIds };
}

let sent = 0;

async function measure({ processes, idleMsPerSecond, request }: Subject): Promise<Round> {
  const used = countCpuTime(processes);
  const before = cpuTimeMs(Object.values(processes));
  const { url } = request(0);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    amount: REQUESTS,
    requests: [
      {
        setupRequest: (given) => {
          const next = request(sent++);
          const headers = { ...next.headers, 'Content-Type': 'application/json' };
          const path = new URL(next.url).pathname;
          return { ...given, method: next.method, path, headers, body: JSON.stringify(next.body) };
        },
      },
    ],
  });
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
