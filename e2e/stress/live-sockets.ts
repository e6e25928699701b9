// Ten thousand sockets on one gateway: their cost, the latency of updates, and the effect on others.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import WebSocket from 'ws';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, operate, sandbox } from '../support/api.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { Latencies } from './latencies.ts';
import {
  type Amount,
  inParallel,
  receiveText,
  requireThat,
  type StressStack,
  withStressStack,
} from './stress-stack.ts';

const OPENED_AT_ONCE = 50;
const FLOOD_TEXTS = 100;
const SAMPLES = 200;
const CUT_WITHIN_MS = 5000;
/** One in so many sockets uses a key that is revoked at the end. */
const REVOKED_EVERY = 10;
const IDENTIFIER = JSON.stringify({ channel: 'CallsChannel' });

/** A subscribed socket that keeps when updates came. */
interface Client {
  readonly socket: WebSocket;
  /** Updates of texts, by the number of who wrote it: when they came. */
  readonly texts: Map<string, number>;
}

export function stressLiveSockets(amount: Amount): Promise<void> {
  return withStressStack(1, async (given) => {
    const { stack, company, numbers } = given;
    const [gateway] = processesOfService(stack, 'gateway');
    const quiet = await createTestCompany(stack.local, { messaging_enabled: true });
    const quietNumber = (await createNumber(quiet, {}, stack.local)).body.number as string;
    const { body: revoked } = await operate(stack.local, 'POST', `/employees/${company.owner.id}/api_keys`, {
      name: 'Revoked',
    });
    const alone = await latencies(given, quiet);
    const before = residentBytes(gateway!);
    const clients: Client[] = [];
    const started = performance.now();
    await inParallel(amount, OPENED_AT_ONCE, async (index) => {
      clients[index] = await connect(given, index % REVOKED_EVERY === 0 ? revoked.api_key : company.apiKey);
    });
    const openedMs = performance.now() - started;
    await sleep(5000);
    const perSocket = (residentBytes(gateway!) - before) / clients.length;
    console.log(
      `  ${clients.length} sockets opened in ${(openedMs / 1000).toFixed(1)} s, ${(perSocket / 1024).toFixed(1)} KiB of the gateway each`,
    );
    const other = await connect({ ...given, company: quiet }, quiet.apiKey);

    await receiveText(stack, { from: '+4524000001', to: numbers[0]!.number, text: 'One' });
    const [first, last] = await arrivals(clients, '+4524000001');
    console.log(`  one update: ${(last - first).toFixed(0)} ms from the first socket to the last`);
    requireThat(!other.texts.has('+4524000001'), 'another company received the update');

    // All sockets receive a hundred updates; meanwhile the other company is not affected.
    const flood = inParallel({ count: FLOOD_TEXTS, minutes: 5 }, 10, (index) =>
      receiveText(stack, { from: `+45250000${String(index).padStart(2, '0')}`, to: numbers[0]!.number, text: 'Flood' }),
    );
    const meanwhile = await latencies(given, quiet);
    const notifiedMs = await notificationMs(given, other, quietNumber);
    await flood;
    await arrivals(clients, `+45250000${FLOOD_TEXTS - 1}`);
    console.log(`  requests of another company: ${alone} before, ${meanwhile} during the flood`);
    console.log(`  its own update after ${notifiedMs.toFixed(0)} ms`);

    const cutFrom = performance.now();
    await operate(stack.local, 'DELETE', `/api_keys/${revoked.id}`);
    const cut = clients.filter((_, index) => index % REVOKED_EVERY === 0);
    await waitUntil(() => cut.every(({ socket }) => socket.readyState === WebSocket.CLOSED), {
      what: 'the cut',
      timeoutMs: CUT_WITHIN_MS,
    });
    console.log(`  ${cut.length} sockets of a revoked key cut in ${(performance.now() - cutFrom).toFixed(0)} ms`);
    const open = clients.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length;
    requireThat(open === clients.length - cut.length, `${open} sockets are open`);
    for (const { socket } of [...clients, other]) socket.terminate();
  });
}

async function connect({ stack }: StressStack, apiKey: string): Promise<Client> {
  const url = `${stack.local.base_url.replace('http', 'ws')}/cable`;
  const socket = new WebSocket(url, ['actioncable-v1-json'], {
    headers: { 'X-Api-Key': apiKey },
    perMessageDeflate: false,
  });
  const texts = new Map<string, number>();
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const { type, message } = JSON.parse(String(data));
      if (type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier: IDENTIFIER }));
      if (type === 'confirm_subscription') resolve();
      if (type === 'disconnect') reject(new Error(String(data)));
      if (message?.type === 'sms_update' && !texts.has(message.phone_number))
        texts.set(message.phone_number, performance.now());
    });
  });
  return { socket, texts };
}

/** When the first and the last socket received the update of a text. */
async function arrivals(clients: readonly Client[], phone: string): Promise<[number, number]> {
  await waitUntil(() => clients.every(({ texts }) => texts.has(phone)), {
    what: 'an update everywhere',
    timeoutMs: 120_000,
  });
  const times = clients.map(({ texts }) => texts.get(phone)!).toSorted((a, b) => a - b);
  return [times[0]!, times.at(-1)!];
}

async function notificationMs({ stack }: StressStack, client: Client, to: string): Promise<number> {
  const from = '+4526000001';
  const started = performance.now();
  await sandbox(stack.local, 'POST', '/messages', { from, to, text: 'Quiet' });
  await waitUntil(() => client.texts.has(from), { what: 'the update', timeoutMs: 60_000 });
  return client.texts.get(from)! - started;
}

/** Measures sequential requests in a thread of its own, because this one is busy with the updates of all sockets. */
async function latencies({ stack: { local } }: StressStack, { apiKey }: Company): Promise<Latencies> {
  const worker = new Worker(new URL('./latency-worker.ts', import.meta.url), {
    workerData: { url: `${local.base_url}/api/v1/inbox`, apiKey, samples: SAMPLES },
  });
  const [times] = (await once(worker, 'message')) as [number[]];
  return new Latencies(times);
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
