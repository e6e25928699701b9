// PATCH /contacts/:id beside the same write through a bare Express -> gRPC -> MongoDB chain, in one run, turn by turn.
import autocannon from 'autocannon';
import { type Company, createTestCompany } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { withStack } from './bench-stack.ts';
import { cpuTimeMs, idleCpuTime, interleaved, printRounds, type Round } from './measuring.ts';

const ROUNDS = 4;
const REQUESTS = 2000;
const CONNECTIONS = 32;
/** Enough that two requests rarely change the same one. */
const CONTACTS = 200;
const RATIO_MAX = 2.5;
/** The processes that handle a request and publish its event; the others only follow it. */
const ON_THE_WAY = ['gateway', 'identity', 'directory', 'mongo-identity', 'mongo-directory', 'nats'];

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly contactIds: readonly string[];
  readonly pids: number[];
  /** The CPU time of the idle processes in milliseconds per second, which is not counted as the cost of a write. */
  readonly idleMsPerSecond: number;
}

export function benchmarkPatchContact(): Promise<void> {
  return withStack({ processes: 'separate' }, async ({ local, folder, pidsOf }) => {
    const bare = await startBareChain(folder);
    try {
      const company = await createTestCompany(local);
      const contactIds = await createContacts(company);
      const parley = { url: `${local.base_url}/api/v1/contacts`, headers: { 'X-Api-Key': company.apiKey }, contactIds };
      const subjects: Subject[] = [
        {
          name: 'bare chain',
          url: `${bare.url}/api/v1/contacts`,
          headers: {},
          contactIds: contactIds.map((_, n) => `con_${n}`),
          pids: bare.pids,
          idleMsPerSecond: 0,
        },
        { name: 'parley', ...parley, pids: pidsOf(...ON_THE_WAY), idleMsPerSecond: 0 },
        { name: 'with all followers', ...parley, pids: pidsOf(), idleMsPerSecond: await idleCpuTime(pidsOf()) },
      ];
      const rounds = await interleaved(subjects, ROUNDS, measure);
      printRounds('patch-contact', subjects, rounds);
      const ratio = (index: number) =>
        ((rounds[index]?.cpuMsPerRequest ?? 0) / (rounds[0]?.cpuMsPerRequest ?? 1)).toFixed(2);
      console.log(
        `parley / bare chain, CPU time per write: ${ratio(1)} (at most ${RATIO_MAX.toFixed(2)} wanted); ` +
          `with all followers, less what idle processes use: ${ratio(2)}`,
      );
    } finally {
      await bare.stop();
    }
  });
}

async function createContacts(company: Company): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < CONTACTS; n++) {
    const { body } = await company.call('POST', '/contacts', { phone: `+4520${300_000 + n}`, name: `Contact ${n}` });
    ids.push(body.id);
  }
  return ids;
}

async function measure({ url, headers, contactIds, pids, idleMsPerSecond: idle }: Subject): Promise<Round> {
  let sent = 0;
  const before = cpuTimeMs(pids);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    amount: REQUESTS,
    requests: [
      {
        method: 'PATCH',
        headers: { ...headers, 'Content-Type': 'application/json' },
        setupRequest: (request) => ({
          ...request,
          path: `${new URL(url).pathname}/${contactIds[sent % contactIds.length]}`,
          // Another one each time: a write that changes nothing is no write.
          body: JSON.stringify({ note: `Note ${sent++} of ${performance.now()}` }),
        }),
      },
    ],
  });
  const cpu = cpuTimeMs(pids) - before - idle * result.duration;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { cpuMsPerRequest: cpu / REQUESTS, requestsPerSecond: REQUESTS / result.duration, p99Ms: result.latency.p99 };
}
