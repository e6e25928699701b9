import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { startBareChain } from './bare-chain/start-bare-chain.ts';
import { countCpuTime, cpuTimeMs, type Round } from './measuring.ts';

export interface SentRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Requests to one server over so many connections. */
export interface SentRequests {
  readonly url: string;
  readonly connections: number;
  readonly amount: number;
  readonly request: () => SentRequest;
}

/** What is requested, and whose CPU time it takes. */
export interface RequestSubject {
  readonly name: string;
  readonly processes: Readonly<Record<string, number>>;
  readonly idleMsPerSecond: number;
  /** Connections that request at the same time. */
  readonly connections: number;
  /** Subjects of one series number their requests together; without it, each its own. */
  readonly series?: string;
  readonly request: (n: number) => SentRequest;
  /** Resolves once everything that follows from so many requests of the series has happened. */
  readonly settled?: (requests: number) => Promise<void>;
}

/** autocannon ends with a sample, also when the last response was earlier: with its default of a second, a round took whole seconds. */
const SAMPLE_MS = 10;
/** What is written later than the response, such as what reports count, is a part of the cost. */
const LATER_WORK_MS = 1000;

/** One write each through the bare chain. */
export function bareWrites(bare: Awaited<ReturnType<typeof startBareChain>>, connections: number): RequestSubject {
  return {
    name: 'bare chain',
    processes: Object.fromEntries(bare.pids.map((pid) => [String(pid), pid])),
    idleMsPerSecond: 0,
    connections,
    request: (n) => ({
      method: 'PATCH',
      url: `${bare.url}/api/v1/contacts/con_${n % 500}`,
      headers: {},
      body: { note: `Note ${n} of ${performance.now()}` },
    }),
  };
}

/** Sends so many requests, each what `request` answers next; resolves with the 99th percentile of their latencies. */
export async function sendRequests({ url, connections, amount, request }: SentRequests): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    amount,
    sampleInt: SAMPLE_MS,
    requests: [
      {
        setupRequest: (given) => {
          const { method, headers, body, ...one } = request();
          const { pathname, search } = new URL(one.url);
          const own = { ...headers, 'Content-Type': 'application/json' };
          return { ...given, method, path: `${pathname}${search}`, headers: own, body: JSON.stringify(body) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.latency.p99;
}

/** Measures a round of requests, each of which differs from all others. */
export function measureRequests(amount: number) {
  const sent = new Map<string, number>();
  return async (subject: RequestSubject): Promise<Round> => {
    const { name, series = name, processes, idleMsPerSecond, connections, request } = subject;
    const used = countCpuTime(processes);
    const before = cpuTimeMs(Object.values(processes));
    const started = performance.now();
    let next = sent.get(series) ?? 0;
    const { url } = request(next);
    const p99Ms = await sendRequests({ url, connections, amount, request: () => request(next++) });
    sent.set(series, next);
    await subject.settled?.(next);
    const secs = () => (performance.now() - started) / 1000;
    const requestsPerSecond = amount / secs();
    await sleep(LATER_WORK_MS);
    const cpu = cpuTimeMs(Object.values(processes)) - before - idleMsPerSecond * secs();
    return {
      cpuMsPerRequest: cpu / amount,
      requestsPerSecond,
      p99Ms,
      msByProcess: used(amount),
    };
  };
}
