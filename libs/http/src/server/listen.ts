import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { noteConnection, noteRequest } from './earliest-sent-at.ts';
import { newRequestId } from './request-id.ts';

/** A server that listens. */
export interface Listening {
  /** `127.0.0.1:8080`, with the port that was really taken. */
  readonly address: string;
  readonly port: number;
  /** For `upgrade`; a handler that takes over a socket must end it before `close`, otherwise it is destroyed at the limit. */
  readonly server: Server;
  /** Continues to serve, and closes each connection after its next response: clients reconnect through the load balancer. */
  drain(): void;
  /** Takes no more connections, lets requests in flight finish, and cuts what is left after `limitMs`. */
  close(limitMs?: number): Promise<void>;
}

/** Longer than the 60 s after which the usual load balancers drop an idle connection: they must close first. */
const KEEP_ALIVE_MS = 75_000;
/** Time limits of a client for its headers, and for its whole request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;
/** For requests in flight when the listener closes; documented in docs/operations.md. */
const CLOSE_LIMIT_MS = 8_000;
/** A client that reads less than this of a response in this time is disconnected: it occupies memory, possibly on purpose. */
const READ_BYTES_MIN = 16 * 1024;
const READ_MS_MAX = 30_000;
/** Progress is visible for whole writes only, so a large write has that time for each chunk of this size. */
const WRITE_PART_BYTES = 256 * 1024;

/** Serves HTTP at `127.0.0.1:8080`, `[::1]:8080` or `:8080` (every interface); port 0 takes a free one. */
export async function listenHttp(
  handler: RequestListener,
  address: string,
  { readMsMax = READ_MS_MAX }: { readMsMax?: number } = {},
): Promise<Listening> {
  const { host, port } = parseAddress(address);
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
  });
  const sockets = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  const slowReaders = watchReaders(sockets, readMsMax);
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
  server.on('connection', (socket) => {
    noteConnection(socket);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    noteRequest(request);
    inFlight.add(response);
    response.on('close', onResponseClosed);
    if (draining) response.setHeader('Connection', 'close');
    handler(request, response);
  });
  server.on('clientError', respondToClientError);

  await listening(server, host, port, address);
  const bound = server.address() as AddressInfo;
  return {
    address: `${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    port: bound.port,
    server,
    drain,
    close(limitMs = CLOSE_LIMIT_MS) {
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

/** Destroys connections whose clients do not read what was written for them. */
function watchReaders(sockets: ReadonlySet<Socket>, readMsMax: number): NodeJS.Timeout {
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

function parseAddress(address: string): { host: string | undefined; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) throw new Error(`${address} is not an address such as 127.0.0.1:8080`);
  return { host: bracketed || plain || undefined, port };
}

function listening(server: Server, host: string | undefined, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    function onError(error: NodeJS.ErrnoException): void {
      const why = error.code === 'EADDRINUSE' ? 'it is already in use' : error.message;
      reject(Object.assign(new Error(`cannot listen on ${address}: ${why}`, { cause: error }), { code: error.code }));
    }
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

/** What never became a request still gets a response of our shape. */
function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: CLIENT_ERROR_CODE[status] });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${newRequestId()}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const CLIENT_ERROR_CODE: Readonly<Record<number, string>> = {
  400: 'bad_request',
  408: 'request_timeout',
  413: 'payload_too_large',
  431: 'headers_too_large',
};
