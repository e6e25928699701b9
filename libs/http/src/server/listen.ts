import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions as NetListenOptions, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createUpgrades, type DefectLog, readTarget, rawError, type RawStatus, refuseSocket } from './raw-requests.ts';

/** When connections that had no request yet were opened. */
const unused = new WeakMap<Socket, Date>();
const earliest = new WeakMap<IncomingMessage, Date>();

/**
 * The earliest time at which the client may have sent a request. A client that sends many at once opens a connection for
 * each first, so the first request of a connection may be as old as the connection. A later one counts from its arrival.
 */
export function earliestSentAt(request: IncomingMessage): Date {
  return earliest.get(request) ?? new Date();
}

/** A server that listens. */
export type Listening = Awaited<ReturnType<typeof listenHttp>>;

/** Longer than the 60 s after which the usual load balancers drop an idle connection: they must close first. */
const KEEP_ALIVE_MS = 75_000;
/** Time limits of a client for its headers, and for its whole request; a silent connection has the first one. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;
const CHECK_EVERY_MS = 5_000;
/** The size of the first line and all headers. */
const HEADER_BYTES_MAX = 16 * 1024;
/** The limit for requests in flight when the listener closes; documented in docs/operations.md. */
const CLOSE_LIMIT_MS = 8_000;

export interface ListenOptions {
  /** The longest time a client may leave its response unread. */
  readonly readMsMax?: number;
  /** The longest time a client may take for a complete request. */
  readonly requestMsMax?: number;
  /** Further connections of an address are closed at once. Not for a port behind a load balancer, where all have its address. */
  readonly socketsPerAddressMax?: number;
  /** The handler itself answers `Expect: 100-continue` (`response.writeContinue()`), so that it can refuse before the body is sent. */
  readonly handlesContinue?: boolean;
  /** Refuses what a page in a browser sends: for ports that only programs use. */
  readonly refusesPages?: boolean;
  /** Logs defects of a handler, which end its connection only. */
  readonly log?: DefectLog;
}

/** Serves HTTP at `127.0.0.1:8080`, `[::1]:8080`, `:8080` (every interface) or `unix:/path`; port 0 takes a free one. */
export async function listenHttp(handler: RequestListener, address: string, options: ListenOptions = {}) {
  const place = parseAddress(address);
  const upgrades = createUpgrades(options.log);
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: options.requestMsMax ?? REQUEST_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Node's own refusal has no body; `onRequest` sends ours.
    requireHostHeader: false,
    shouldUpgradeCallback: upgrades.isUpgrade,
  });
  const sockets = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  const slowReaders = watchReaders(sockets, options.readMsMax);
  const perAddress = new Map<string, number>();
  let draining = false;
  let closing = false;

  function drain(): void {
    draining = true;
    for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  function onResponseClosed(this: ServerResponse): void {
    inFlight.delete(this);
    if (closing) server.closeIdleConnections();
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    earliest.set(request, unused.get(request.socket) ?? new Date());
    unused.delete(request.socket);
    inFlight.add(response);
    response.on('close', onResponseClosed);
    // Without a listener, an error such as a write after the end would be thrown.
    response.on('error', (error) => options.log?.error({ err: error }, 'a response failed'));
    if (draining) response.setHeader('Connection', 'close');
    const target = readTarget(request.url);
    if (request.url === '*' && request.method === 'OPTIONS') return refuse(response, 404);
    if (!target || (request.httpVersion === '1.1' && request.headers.host === undefined && target.host === undefined))
      return refuse(response, 400);
    if (options.refusesPages && isFromPage(request)) return refuse(response, 403);
    if (target.host !== undefined) {
      request.url = target.query === '' ? target.path : `${target.path}?${target.query}`;
      request.headers.host = target.host;
    }
    try {
      handler(request, response);
    } catch (error) {
      options.log?.error({ err: error }, 'request failed');
      response.destroy();
    }
  }

  server.on('connection', (socket) => {
    const from = socket.remoteAddress ?? '';
    const open = perAddress.get(from) ?? 0;
    if (open >= (options.socketsPerAddressMax ?? Infinity)) return void socket.on('error', () => {}).destroy();
    perAddress.set(from, open + 1);
    unused.set(socket, new Date());
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      const left = (perAddress.get(from) ?? 1) - 1;
      if (left > 0) perAddress.set(from, left);
      else perAddress.delete(from);
    });
  });
  server.on('request', onRequest);
  if (options.handlesContinue) server.on('checkContinue', onRequest);
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, 417));
  server.on('clientError', respondToClientError);
  upgrades.listenTo(server);

  await listening(server, place, address);
  const bound = server.address();
  return {
    /** `127.0.0.1:8080`, with the port that was really taken; or `unix:/path`. */
    address: typeof bound === 'object' && bound ? addressOf(bound) : address,
    /** 0 for a unix socket. */
    port: typeof bound === 'object' && bound ? bound.port : 0,
    server,
    /**
     * Serves requests for WebSocket at a path; the result stops that. A handler must end its sockets before `close`,
     * otherwise they are destroyed at the limit.
     */
    serveUpgrades: upgrades.serve,
    /** Continues to serve, and closes each connection after its next response: clients reconnect through the load balancer. */
    drain,
    /** Takes no more connections, lets requests in flight finish, and cuts what is left after `limitMs`. */
    close(limitMs = CLOSE_LIMIT_MS): Promise<void> {
      drain();
      closing = true;
      return new Promise((resolve) => {
        const limit = setTimeout(() => sockets.forEach((socket) => socket.destroy()), limitMs);
        server.close(() => {
          clearTimeout(limit);
          clearInterval(slowReaders);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function addressOf({ family, address, port }: AddressInfo): string {
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function parseAddress(address: string): NetListenOptions {
  if (address.startsWith('unix:')) return { path: address.slice('unix:'.length) };
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) throw new Error(`${address} is not an address such as 127.0.0.1:8080`);
  return { host: bracketed || plain || undefined, port };
}

function listening(server: Server, place: NetListenOptions, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    function onError(error: NodeJS.ErrnoException): void {
      const why = error.code === 'EADDRINUSE' ? 'it is already in use' : error.message;
      reject(Object.assign(new Error(`cannot listen on ${address}: ${why}`, { cause: error }), { code: error.code }));
    }
    server.once('error', onError);
    server.listen(place, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

/** Browsers name the page that sends a request, and say when there is none because a person typed the address. */
function isFromPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || !['none', undefined].includes(headers['sec-fetch-site'] as string | undefined);
}

function refuse(response: ServerResponse, status: RawStatus): void {
  const { headers, body } = rawError(status);
  response.writeHead(status, headers).end(body);
}

/** Input that never became a request still gets a response in our format. */
function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  refuseSocket(socket, CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400);
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, RawStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A client that reads less than this of a response in this time is disconnected: it occupies memory, possibly on purpose. */
const READ_BYTES_MIN = 16 * 1024;
const READ_MS_MAX = 30_000;
/** Progress is visible for whole writes only, so a large write has that time for each chunk of this size. */
const WRITE_PART_BYTES = 256 * 1024;

/** Destroys connections whose clients do not read what was written for them. */
function watchReaders(sockets: ReadonlySet<Socket>, readMsMax = READ_MS_MAX): NodeJS.Timeout {
  const taken = new WeakMap<Socket, { bytes: number; since: number }>();
  const check = () => {
    const now = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        taken.delete(socket);
        continue;
      }
      const bytes = socket.bytesWritten - socket.writableLength;
      const before = taken.get(socket);
      if (before === undefined || bytes - before.bytes >= READ_BYTES_MIN) taken.set(socket, { bytes, since: now });
      else if (now - before.since >= readMsMax * Math.ceil(socket.writableLength / WRITE_PART_BYTES)) socket.destroy();
    }
  };
  return setInterval(check, readMsMax / 6).unref();
}
