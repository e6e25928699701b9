import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';

/** The parsed target of a request line. */
export interface RequestTarget {
  /** Percent-encoded, as it was sent; begins with a slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** The authority of a target in absolute form, which replaces the Host header (RFC 9112, 3.2.2). */
  readonly host?: string;
}

const ABSOLUTE = /^https?:\/\//i;
/**
 * Reads the target of a request; undefined for one that is no path. Percent-encoding is left as it is: a malformed one names
 * nothing (404), and in a query it is text. It is total: what a client sends is read in event handlers, where nothing may
 * throw, and `new URL('//', base)` does.
 */
export function readTarget(target: string | undefined): RequestTarget | undefined {
  if (target === undefined) return undefined;
  if (target.startsWith('/')) return split(target);
  if (!ABSOLUTE.test(target) || !URL.canParse(target)) return undefined;
  const { host, pathname, search } = new URL(target);
  return { ...split(pathname + search), host };
}

function split(target: string): RequestTarget {
  const [withoutFragment = ''] = target.split('#', 1);
  const mark = withoutFragment.indexOf('?');
  if (mark < 0) return { path: withoutFragment, query: '' };
  return { path: withoutFragment.slice(0, mark), query: withoutFragment.slice(mark + 1) };
}

/** The part of a logger that is needed here. */
export interface DefectLog {
  error(fields: object, message: string): void;
}

/** Takes over the socket of a request for WebSocket. What it throws ends that connection only. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, target: RequestTarget) => void;

/**
 * The upgrade requests of a server, by path. The only entry for upgraded sockets: from here on the HTTP server handles neither their errors nor their timeouts, so
 * the error listener is attached before anything else, and whatever is refused is closed.
 */
export function createUpgrades(log?: DefectLog) {
  const handlers = new Map<string, UpgradeHandler>();

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const target = readTarget(request.url);
    if (!target) return refuseSocket(socket, 400);
    const handler = handlers.get(target.path);
    if (!handler) return refuseSocket(socket, 404);
    try {
      handler(request, socket, head, target);
    } catch (error) {
      log?.error({ err: error, path: target.path }, 'an upgrade failed');
      socket.destroy();
    }
  }

  return {
    /** True for an upgrade that the server knows. Others, such as `h2c`, are offers that a server may ignore (RFC 9110, 7.8). */
    isUpgrade: ({ headers }: IncomingMessage) => handlers.size > 0 && headers.upgrade?.toLowerCase() === 'websocket',
    /** Serves a path; the result stops that. */
    serve(path: string, handler: UpgradeHandler): () => void {
      handlers.set(path, handler);
      return () => void handlers.delete(path);
    },
    listenTo: (server: Server) => void server.on('upgrade', onUpgrade),
  };
}

/** The longest time a client may keep its half of a refused connection open. */
const LINGER_MS = 1_000;

/** Responses to what never became a request of an application. */
const ERRORS = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  408: 'request_timeout',
  413: 'payload_too_large',
  417: 'expectation_failed',
  431: 'headers_too_large',
} as const;

export type RawStatus = keyof typeof ERRORS;

/** The headers and the body of an error that is sent before any application has the request. */
export function rawError(status: RawStatus): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ error: ERRORS[status] });
  const headers = {
    'X-Request-Id': newRequestId(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  return { headers, body };
}

/** Responds on a bare socket and closes it, even if the client never closes its half or does not read. */
export function refuseSocket(socket: Duplex, status: RawStatus): void {
  // Without a listener, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  const { headers, body } = rawError(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const limit = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.on('close', () => clearTimeout(limit));
  // Further data is discarded: closing with unread data would reset the connection before the response is read.
  socket.resume();
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/**
 * Unlike a resource's id it guards nothing, so the runtime's pooled random source will do: it is on every request's
 * path.
 */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
