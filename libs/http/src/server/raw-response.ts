import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

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
