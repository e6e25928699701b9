import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What may be echoed into a header and a log line without a second thought. */
const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id a request is known by: the caller's own `X-Request-Id` if it is sane, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const own = request.headers['x-request-id'];
  return typeof own === 'string' && SANE.test(own) ? own : newRequestId();
}

/** Unlike a resource's id it guards nothing, so the runtime's pooled random source will do: it is on every request's path. */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
