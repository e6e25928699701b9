import type { Readable } from 'node:stream';
import type { Pool } from 'undici';
import { EgressError, exchangeError } from './egress-error.ts';
import { guardedConnect } from './guarded-connect.ts';
import { originPools } from './origin-pools.ts';
import { publicAddresses } from './public-address.ts';
import { nameServerResolver, type ResolveHost } from './resolve-host.ts';
import { type EgressPolicy, readTarget, urlProblems } from './target.ts';

export interface EgressOptions extends EgressPolicy {
  /** Lookup, TCP and TLS together. */
  readonly connectTimeoutMs?: number;
  /** Requests to one origin beyond this many wait in line; their time limit starts with their turn. */
  readonly maxSocketsPerOrigin?: number;
  /** The resolver of host names; default: the machine's name servers. */
  readonly resolve?: ResolveHost;
}

export interface EgressRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange: connecting, sending, and reading the answer. */
  readonly timeoutMs: number;
  /** How much of the answer's body is wanted; the connection is dropped at the first byte beyond it. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The body is incomplete: it was too long, too slow, or interrupted. */
  readonly truncated: boolean;
}

export interface Egress {
  /** Sends one request. A redirect is a response like any other. Rejects with an `EgressError`. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** Closes every connection; requests in progress end as `aborted`. */
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
const SOCKETS_PER_ORIGIN = 10;

/** Outgoing requests that never reach our own network. Proxies named in the environment are not used. */
export function createEgress(options: EgressOptions = {}): Egress {
  const isPublic = publicAddresses(options.deniedNetworks);
  const resolve = options.resolve ?? nameServerResolver();
  const connect = guardedConnect(options, resolve, options.connectTimeoutMs ?? CONNECT_MS);
  const pools = originPools(connect, options.maxSocketsPerOrigin ?? SOCKETS_PER_ORIGIN);
  return {
    async request(request) {
      const target = readTarget(request.url, options, isPublic);
      if (!target.ok) throw new EgressError('refused_address', `the address ${urlProblems[target.problem]}`);
      return pools.use(target.url.origin, request.signal, (pool) => exchange(pool, target.url, request));
    },
    close: () => pools.close(),
  };
}

async function exchange(pool: Pool, url: URL, request: EgressRequest): Promise<EgressResponse> {
  const end = new AbortController();
  const outOfTime = () => end.abort(new EgressError('timeout', `no answer within ${request.timeoutMs / 1000} s`));
  const timer = setTimeout(outOfTime, request.timeoutMs);
  const giveUp = () => end.abort(new EgressError('aborted', 'the request was given up'));
  request.signal?.addEventListener('abort', giveUp, { once: true });
  if (request.signal?.aborted) giveUp(); // Between the look at it in line and this one.
  try {
    const { statusCode, headers, body } = await pool.request({
      method: request.method,
      path: url.pathname + url.search,
      headers: request.headers,
      body: request.body,
      signal: end.signal,
    });
    const read = await readUpTo(request.maxResponseBytes, body);
    if (request.signal?.aborted) throw end.signal.reason;
    return { status: statusCode, headers, ...read };
  } catch (cause) {
    throw exchangeError(cause as Error);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', giveUp);
  }
}

/** The status has arrived, so an interrupted or slow body is returned truncated. */
async function readUpTo(bytesMax: number, stream: Readable): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let broken = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > bytesMax) break; // Leaving the loop destroys the stream, and its socket with it.
    }
  } catch {
    broken = true;
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax), truncated: broken || bytes > bytesMax };
}
