import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type {} from './request-locals.ts';

/** Only these may be repeated unchanged in a header and a log line. */
const VALID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Middleware: names the request by the client's own `X-Request-Id` if it is valid, else by a new one. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const requestId = requestIdOf(request);
  response.locals.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
}

function requestIdOf(request: IncomingMessage): string {
  const own = request.headers['x-request-id'];
  return typeof own === 'string' && VALID.test(own) ? own : newRequestId();
}

/**
 * Unlike a resource's id it guards nothing, so the runtime's pooled random source will do: it is on every request's
 * path.
 */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
