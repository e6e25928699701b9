// A text that the provider delivers, until it is in the inbox, was announced on a live channel and has arrived at a webhook, beside
// one write through a bare Express -> gRPC -> MongoDB chain, in one run, turn by turn. The sandbox, which is the provider
// and the receiver of the webhook, is not counted.
import { waitUntil } from '@parley/testkit/wait-until';
import WebSocket from 'ws';
import { type Company, createTestCompany, operate, sandbox, succeeded } from '../support/api.ts';
import { startBareChain } from './bare-chain/start-bare-chain.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { idleCpuTime, interleaved, printRounds } from './measuring.ts';
import { bareWrites, measureRequests, type RequestSubject } from './request-rounds.ts';

const ROUNDS = 3;
const REQUESTS = 600;
/** Few, so that hardly anything is done together, and many. */
const CONNECTIONS = [8, 32];
const NUMBERS = 10;
const PEOPLE = 200;
const CPU_MS_MAX = 10;
const SETTLED_MS_MAX = 120_000;
/** Not on the way of a text. */
const OTHERS = ['sandbox', 'speech', 'mongo-sandbox'];

export function benchmarkReceiveMessage(): Promise<void> {
  return withStack({ processes: 'separate' }, async (stack) => {
    const { local } = stack;
    const bare = await startBareChain(stack.folder);
    const company = await createTestCompany(local, { messaging_enabled: true });
    const live = await openLiveChannel(stack, company);
    try {
      const numbers = Array.from({ length: NUMBERS }, (_, n) => `+4570${100_000 + n}`);
      for (const [n, number] of numbers.entries()) {
        const body = { number, name: `Number ${n}`, timezone: 'Europe/Copenhagen', language: 'en' };
        await succeeded(operate(local, 'POST', `/companies/${company.id}/business_numbers`, body));
      }
      const hook = '/hooks/texts';
      let delivered = 0;
      const webhook = { name: 'Texts', url: `${local.sandbox_url}${hook}`, events: ['message.received'] };
      await succeeded(company.call('POST', '/webhooks', webhook));
      const counted = Object.entries(stack.processes()).filter(([name]) => !OTHERS.includes(name));
      const idleMsPerSecond = await idleCpuTime(counted.map(([, pid]) => pid));
      const subjects: RequestSubject[] = [
        bareWrites(bare, CONNECTIONS[0]!),
        ...CONNECTIONS.map((connections): RequestSubject => ({
          name: `receive a text, ${connections} at once`,
          series: 'receive',
          connections,
          processes: Object.fromEntries(counted),
          idleMsPerSecond,
          request: (n) => ({
            method: 'POST',
            url: `${local.sandbox_url}/messages`,
            headers: {},
            body: {
              from: `+4520${200_000 + (n % PEOPLE)}`,
              to: numbers[n % NUMBERS],
              text: `Text ${n} of an ordinary length, as people write it`,
            },
          }),
          settled: async (texts) => {
            await waitUntil(() => live.updates() >= texts, { what: 'live updates', timeoutMs: SETTLED_MS_MAX });
            const arrived = async () => (await sandbox(local, 'GET', hook)).body.length >= texts - delivered;
            await waitUntil(arrived, { what: 'deliveries', timeoutMs: SETTLED_MS_MAX });
            // A list of all rounds would cost as much as hundreds of texts.
            await sandbox(local, 'DELETE', hook);
            delivered = texts;
          },
        })),
      ];
      const measure = measureRequests(REQUESTS);
      const rounds = await interleaved(subjects, ROUNDS, measure);
      printRounds('receive-message', subjects, rounds);
      console.log(`at most ${CPU_MS_MAX} ms wanted`);
    } finally {
      live.close();
      await bare.stop();
    }
  });
}

/** A dashboard that is open: counts the updates of texts. */
async function openLiveChannel({ local }: BenchStack, { apiKey }: Company) {
  const socket = new WebSocket(`${local.base_url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], {
    headers: { 'X-Api-Key': apiKey },
  });
  let updates = 0;
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const { type, message } = JSON.parse(String(data));
      const identifier = JSON.stringify({ channel: 'CallsChannel' });
      if (type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier }));
      if (type === 'confirm_subscription') resolve();
      if (message?.type === 'sms_update') updates += 1;
    });
  });
  return { updates: () => updates, close: () => socket.terminate() };
}
