// GET /contacts/:id through the whole product beside a bare Express -> gRPC -> MongoDB chain, in one run, turn by turn.
import autocannon from 'autocannon';
import { createTestCompany, succeeded } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { withStack } from './bench-stack.ts';
import { cpuTimeMs, interleaved, printRounds, type Round } from './measuring.ts';

const ROUNDS = 4;
const REQUESTS = 4000;
const CONNECTIONS = 32;

/** Equal ids of concurrent requests are read once, so each request has another one. */
const CONTACTS = 200;

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly contactIds: readonly string[];
  readonly pids: number[];
}

export function benchmarkGetContact(): Promise<void> {
  return withStack({ processes: 'separate' }, async ({ local, folder, pidsOf }) => {
    const bare = await startBareChain(folder);
    try {
      const company = await createTestCompany(local);
      const contactIds: string[] = [];
      for (let n = 0; n < CONTACTS; n++) {
        const created = await succeeded(
          company.call('POST', '/contacts', {
            phone: `+4520${300_000 + n}`,
            name: `Contact ${n}`,
            email: `contact.${n}@example.dk`,
            company_name: 'Example',
            note: 'A note of an ordinary length about somebody.',
          }),
        );
        contactIds.push(created.body.id);
      }
      const subjects: Subject[] = [
        {
          name: 'bare chain',
          url: bare.url,
          headers: {},
          contactIds: contactIds.map((_, n) => `con_${n}`),
          pids: bare.pids,
        },
        { name: 'parley', url: local.base_url, headers: { 'X-Api-Key': company.apiKey }, contactIds, pids: pidsOf() },
      ];
      const rounds = await interleaved(subjects, ROUNDS, measure);
      printRounds('get-contact', subjects, rounds);
      const ratio = (rounds[1]?.cpuMsPerRequest ?? 0) / (rounds[0]?.cpuMsPerRequest ?? 1);
      console.log(`parley / bare chain, CPU time per request: ${ratio.toFixed(2)} (at most 1.70 wanted)`);
    } finally {
      await bare.stop();
    }
  });
}

async function measure({ url, headers, contactIds, pids }: Subject): Promise<Round> {
  let n = 0;
  const setupRequest = (given: autocannon.Request) => ({
    ...given,
    path: `/api/v1/contacts/${contactIds[n++ % CONTACTS]}`,
  });
  const before = cpuTimeMs(pids);
  const result = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    amount: REQUESTS,
    requests: [{ setupRequest }],
  });
  const cpu = cpuTimeMs(pids) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { cpuMsPerRequest: cpu / REQUESTS, requestsPerSecond: REQUESTS / result.duration, p99Ms: result.latency.p99 };
}
