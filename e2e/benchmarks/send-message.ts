// POST /business_numbers/:id/messages until the provider has accepted the text, beside one write through a bare
// Express -> gRPC -> MongoDB chain, in one run, turn by turn. The sandbox, which is the provider, is not counted.
import { createTestCompany, operate, succeeded } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { idleCpuTime, interleaved, printRounds } from './measuring.ts';
import { bareWrites, measureRequests, type RequestSubject } from './request-rounds.ts';

const ROUNDS = 3;
const REQUESTS = 500;
/** Few, so that hardly anything is done together, and many. */
const CONNECTIONS = [8, 32];
/** With fewer than thirty texts of each in all rounds together: that is the limit of a minute. */
const NUMBERS = 200;
const CPU_MS_MAX = 10;
/** Not on the way of a text. */
const OTHERS = ['sandbox', 'speech', 'mongo-sandbox'];

export function benchmarkSendMessage(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    const bare = await startBareChain(stack.folder);
    try {
      const { apiKey, numberIds } = await companyWithNumbers(stack);
      const counted = Object.entries(stack.processes()).filter(([name]) => !OTHERS.includes(name));
      const idleMsPerSecond = await idleCpuTime(counted.map(([, pid]) => pid));
      const subjects: RequestSubject[] = [
        bareWrites(bare, CONNECTIONS[0]!),
        ...CONNECTIONS.map((connections): RequestSubject => ({
          name: `send a text, ${connections} at once`,
          series: 'send',
          connections,
          processes: Object.fromEntries(counted),
          idleMsPerSecond,
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
        })),
      ];
      const rounds = await interleaved(subjects, ROUNDS, measureRequests(REQUESTS));
      printRounds('send-message', subjects, rounds);
      console.log(`at most ${CPU_MS_MAX} ms wanted`);
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
