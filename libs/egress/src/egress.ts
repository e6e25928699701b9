import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { EgressError, exchangeError } from './egress-error.ts';
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
  /** Called with each piece of the body when it arrives, for an answer that is used before its end. Must not throw. */
  readonly onData?: (piece: Buffer, answer: EgressAnswer) => void;
}

/** What is known of a response before its body. */
export interface EgressAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface EgressResponse extends EgressAnswer {
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
  const { method, headers, body, timeoutMs, maxResponseBytes, signal, onData } = request;
  const { promise, resolve, reject } = Promise.withResolvers<EgressResponse>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let answer: EgressAnswer | undefined;
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
        onData?.(chunk.subarray(0, maxResponseBytes - bytes), answer!);
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

interface Origin {
  readonly pool: Pool;
  socketsTaken: number;
  readonly waiting: Set<() => void>;
}

/** Idle origins that keep their pool. */
const IDLE_ORIGINS_MAX = 256;

/** Sockets stay open this long for a next request; a receiver may request more, up to the second value. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MS_MAX = 10_000;

const HEADER_BYTES_MAX = 16 * 1024;

/** A pool of sockets per origin; the least recently used idle ones are closed. */
function originPools(connect: buildConnector.connector, maxSocketsPerOrigin: number) {
  const origins = new Map<string, Origin>();
  let closed = false;

  function open(name: string): Origin {
    const origin = {
      pool: newPool(name, connect, maxSocketsPerOrigin),
      socketsTaken: 0,
      waiting: new Set<() => void>(),
    };
    origins.set(name, origin);
    return origin;
  }

  function releaseSocket(name: string, origin: Origin): void {
    const [next] = origin.waiting;
    if (next) {
      origin.waiting.delete(next);
      next(); // The socket passes on without being counted free.
      return;
    }
    origin.socketsTaken -= 1;
    if (origin.socketsTaken > 0 || closed) return;
    // Last in the map is last used.
    origins.delete(name);
    origins.set(name, origin);
    dropIdle();
  }

  function dropIdle(): void {
    for (const [name, origin] of origins) {
      if (origins.size <= IDLE_ORIGINS_MAX) return;
      if (origin.socketsTaken > 0) continue;
      origins.delete(name);
      origin.pool.destroy().catch(() => {}); // its sockets are closed one way or the other
    }
  }

  return {
    /** Runs `work` with one of the origin's sockets, waiting in line for it if all are taken. */
    async use<T>(name: string, signal: AbortSignal | undefined, work: (pool: Pool) => Promise<T>): Promise<T> {
      if (closed || signal?.aborted) throw givenUp();
      const origin = origins.get(name) ?? open(name);
      if (origin.socketsTaken < maxSocketsPerOrigin) origin.socketsTaken += 1;
      else await waitInLine(origin, signal);
      try {
        return await work(origin.pool);
      } finally {
        releaseSocket(name, origin);
      }
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...origins.values()].map((origin) => origin.pool.destroy()));
      origins.clear();
    },
  };
}

function newPool(origin: string, connect: buildConnector.connector, connections: number): Pool {
  return new Pool(origin, {
    connect,
    allowH2: false,
    connections,
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
    // The exchange has its own time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Resolves when a socket of the origin is passed on. */
function waitInLine({ waiting }: Origin, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.delete(proceed);
      reject(givenUp());
    };
    const proceed = () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    waiting.add(proceed);
  });
}

function givenUp(): EgressError {
  return new EgressError('aborted', 'the request was given up');
}
