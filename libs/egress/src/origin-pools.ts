import { type buildConnector, Pool } from 'undici';
import { EgressError } from './egress-error.ts';

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
export function originPools(connect: buildConnector.connector, maxSocketsPerOrigin: number) {
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
