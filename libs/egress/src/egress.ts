import type { Dispatcher, Pool } from 'undici';
import { EgressError, exchangeError } from './egress-error.ts';
import { originPools } from './origin-pools.ts';
import { type EgressPolicy, readTarget, urlProblems, publicAddresses } from './target.ts';
import { guardedConnect, nameServerResolver, type ResolveHost } from './guarded-connect.ts';

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
  /** Covers the whole exchange: connecting, sending, and reading the response. */
  readonly timeoutMs: number;
  /** The connection is closed at the first byte beyond it. */
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

export type Egress = ReturnType<typeof createEgress>;

const CONNECT_MS = 5_000;
const SOCKETS_PER_ORIGIN = 10;

/** Outgoing requests that never reach our own network. Proxies named in the environment are not used. */
export function createEgress(options: EgressOptions = {}) {
  const isPublic = publicAddresses(options.deniedNetworks);
  const resolve = options.resolve ?? nameServerResolver();
  const connect = guardedConnect(options, resolve, options.connectTimeoutMs ?? CONNECT_MS);
  const pools = originPools(connect, options.maxSocketsPerOrigin ?? SOCKETS_PER_ORIGIN);
  return {
    /** Sends one request. A redirect is a response like any other. Rejects with an `EgressError`. */
    async request(request: EgressRequest): Promise<EgressResponse> {
      const target = readTarget(request.url, options, isPublic);
      if (!target.ok) throw new EgressError('refused_address', `the address ${urlProblems[target.problem]}`);
      return pools.use(target.url.origin, request.signal, (pool) => exchange(pool, target.url, request));
    },
    /** Closes every connection; requests in progress end as `aborted`. */
    close: pools.close,
  };
}

/** Without a stream for the answer's body: it is short, and a stream costs as much as the rest of the request. */
function exchange(pool: Pool, url: URL, request: EgressRequest): Promise<EgressResponse> {
  const { method, headers, body, timeoutMs, maxResponseBytes, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<EgressResponse>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let answer: Pick<EgressResponse, 'status' | 'headers'> | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  /** Why the exchange was ended from here. */
  let ending: EgressError | undefined;

  const settle = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  };
  /** The status has arrived, so an interrupted or slow body is returned truncated. */
  const respond = (truncated: boolean) => {
    settle();
    resolve({ ...answer!, body: Buffer.concat(chunks).subarray(0, maxResponseBytes), truncated });
  };
  const end = (error: EgressError) => {
    ending = error;
    if (answer && error.reason === 'timeout') respond(true);
    else {
      settle();
      reject(error);
    }
    controller?.abort(error);
  };
  const timer = setTimeout(() => end(new EgressError('timeout', `no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  const giveUp = () => end(new EgressError('aborted', 'the request was given up'));
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) {
    giveUp(); // Between the look at it in line and this one.
    return promise;
  }

  const path = url.pathname + url.search;
  pool.dispatch(
    { method, path, ...(headers && { headers }), ...(body !== undefined && { body }) },
    {
      onRequestStart(started) {
        controller = started;
        if (ending) started.abort(ending);
      },
      onResponseStart(_controller, status, received) {
        if (status >= 200) answer = { status, headers: received };
      },
      onResponseData(current, chunk) {
        if (bytes > maxResponseBytes) return;
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= maxResponseBytes) return;
        respond(true);
        current.abort(new EgressError('protocol', 'the answer is too long'));
      },
      onResponseEnd: () => respond(false),
      onResponseError(_controller, error) {
        if (answer && !ending) return respond(true);
        settle();
        reject(exchangeError(error));
      },
    },
  );
  return promise;
}
