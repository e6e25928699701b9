// GET /contacts/:id through the whole product beside a bare Express -> gRPC -> MongoDB chain, in one run, turn by turn.
import autocannon from 'autocannon';
import { createTestCompany } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { withStack } from './bench-stack.ts';
import { cpuTimeMs, interleaved, printRound, type Round } from './measuring.ts';

const ROUNDS = 4;
const REQUESTS = 4000;
const CONNECTIONS = 32;

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly pids: number[];
}

export function benchmarkGetContact(): Promise<void> {
  return withStack({ processes: 'separate' }, async ({ local, folder, pidsOf }) => {
    const bare = await startBareChain(folder);
    try {
      const company = await createTestCompany(local);
      const { body: contact } = await company.call('POST', '/contacts', {
        phone: '+4520304050',
        name: 'Contact 500',
        email: 'contact.500@example.dk',
        company_name: 'Example',
        note: 'A note of an ordinary length about somebody.',
      });
      const parley = `${local.base_url}/api/v1/contacts/${contact.id}`;
      const headers = { 'X-Api-Key': company.apiKey };
      const subjects: Subject[] = [
        { name: 'bare chain', url: `${bare.url}/api/v1/contacts/${bare.contactId}`, headers: {}, pids: bare.pids },
        { name: 'parley', url: parley, headers, pids: pidsOf() },
      ];
      const rounds = await interleaved(subjects, ROUNDS, measure);
      subjects.forEach(({ name }, index) => printRound(name, rounds[index]));
      const ratio = (rounds[1]?.cpuMsPerRequest ?? 0) / (rounds[0]?.cpuMsPerRequest ?? 1);
      console.log(`parley / bare chain, CPU time per request: ${ratio.toFixed(2)} (at most 1.70 wanted)`);
    } finally {
      await bare.stop();
    }
  });
}

async function measure({ url, headers, pids }: Subject): Promise<Round> {
  const before = cpuTimeMs(pids);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, amount: REQUESTS });
  const cpu = cpuTimeMs(pids) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { cpuMsPerRequest: cpu / REQUESTS, requestsPerSecond: REQUESTS / result.duration, p99Ms: result.latency.p99 };
}
