import { kindOf, type Refusal, type RefusalKind, Refused, refusalCodes } from '@parley/errors';
import { type ResponseHeaders, json, type JsonResponse, sendResponse } from './response.ts';
import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';

/** One kind of refusal is one status; a code never decides its status anywhere else. */
const STATUS_OF: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  invalid: 422,
  too_early: 425,
  exhausted: 429,
  upstream_failed: 500,
  unreachable: 502,
};

/** RFC 9110 requires a challenge with every 401; clients check for this one before they refresh. */
const CHALLENGE = 'Bearer error="invalid_token"';

/** Limits that a service refuses by are limits of a rolling minute; what is not there yet comes within seconds. */
const RETRY_AFTER_SECS: Partial<Record<RefusalKind, string>> = { exhausted: '60', too_early: '2' };

/** A response that a handler or an `authenticate` throws, where the table of refusals does not fit. */
export class HttpError extends Error {
  readonly response: JsonResponse;

  constructor(status: number, body: unknown, headers?: ResponseHeaders) {
    super(`HTTP ${status}`);
    this.name = 'HttpError';
    this.response = json(status, body, headers);
  }
}

/** 401 `{"error": message}` with the usual challenge; `/mcp` passes its own. */
export function unauthorized(message: string, challenge: string = CHALLENGE): HttpError {
  return new HttpError(401, { error: message }, { 'WWW-Authenticate': challenge });
}

/** Byte for byte the same for an unknown path, an unknown id and another company's id. */
export const notFoundResponse: JsonResponse = json(404, { error: 'not_found' });

/** A refusal without further details. */
export function codeError(status: number, code: string): HttpError {
  return new HttpError(status, { error: code, code });
}

/** The body and the status a refusal has on HTTP. */
export function refusalResponse({ code, message, fields, extra }: Refusal): JsonResponse {
  const kind = kindOf(code);
  const status = STATUS_OF[kind];
  if (kind === 'missing') return notFoundResponse;
  if (kind === 'unauthenticated') return unauthorized(message).response;
  if (kind === 'invalid') return json(status, { error: message, code, ...(fields && { errors: fields }), ...extra });
  const retryAfter = RETRY_AFTER_SECS[kind];
  return json(
    status,
    { error: code, code, ...extra },
    retryAfter === undefined ? undefined : { 'Retry-After': retryAfter },
  );
}

/** An error's response, and whether the error is a defect that has to be looked into. */
export interface ErrorResponse {
  readonly response: JsonResponse;
  readonly defect: boolean;
}

/** Every error has a response; the text of an unexpected one is not shown. */
export function errorResponse(error: unknown, requestId: string): ErrorResponse {
  if (error instanceof HttpError) return { response: error.response, defect: false };
  // An unknown code (a newer service behind an older gateway) is an internal error.
  if (error instanceof Refused && Object.hasOwn(refusalCodes, error.refusal.code)) {
    return { response: refusalResponse(error.refusal), defect: false };
  }
  if (error instanceof Error && error.name === 'Unavailable') {
    const body = { error: 'unavailable', request_id: requestId };
    return { response: json(503, body, { 'Retry-After': '1' }), defect: false };
  }
  return { response: json(500, { error: 'internal_error', request_id: requestId }), defect: true };
}

/** The part of a logger that is needed here; pino fits. */
export interface HttpLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** Error middleware: every error becomes a response, and server errors are logged once. */
export function handleErrors(log: HttpLog): ErrorRequestHandler {
  return async (thrown: unknown, request: Request, response: Response, _next: NextFunction) => {
    const { requestId, template } = response.locals;
    const fields = { request_id: requestId, method: request.method, route: template };
    const error = fromExpress(thrown);
    if (error === 'client_gone' || response.destroyed)
      return log.debug({ ...fields, err: thrown }, 'client closed the connection');
    const { response: given, defect } = errorResponse(error, requestId);
    if (defect) log.error({ ...fields, err: error }, 'request failed');
    else if (given.status >= 500) log.warn({ ...fields, status: given.status, err: error }, 'request failed');
    else log.debug({ ...fields, err: error }, 'request refused');
    // Part of the response is sent: only closing the connection can show that it is incomplete.
    if (response.headersSent) response.destroy();
    else if (hasUnreadBody(request)) await sendBeforeBody(request, response, given);
    else await sendResponse(response, given);
  };
}

const BODY_ERRORS: Readonly<Record<string, readonly [status: number, code: string]>> = {
  'entity.parse.failed': [400, 'invalid_json'],
  'entity.too.large': [413, 'payload_too_large'],
  'encoding.unsupported': [415, 'unsupported_media_type'],
  'charset.unsupported': [415, 'unsupported_media_type'],
};

/** The errors of Express and its body parsers as errors of this library. */
function fromExpress(error: unknown): unknown {
  // Express could not decode a parameter: such a path names nothing.
  if (error instanceof URIError) return new HttpError(notFoundResponse.status, notFoundResponse.body);
  if (!(error instanceof Error) || error instanceof HttpError || !('type' in error)) return error;
  if (error.type === 'request.aborted') return 'client_gone';
  const [status, code] = BODY_ERRORS[String(error.type)] ?? [];
  return status === undefined || code === undefined ? error : codeError(status, code);
}

/** An unread body up to this size is left to Node, which reads it away and keeps the connection. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** The limits of reading and discarding a refused body, so that the client receives its response. */
const LINGER_MS = 2_000;
const LINGER_BYTES_MAX = 64 * 1024 * 1024;

/** True while the client may still be sending a large body that was not read. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (complete || (length === undefined && headers['transfer-encoding'] === undefined)) return false;
  return length === undefined || Number(length) > UNREAD_BYTES_MAX;
}

/**
 * Responds to a client that is still sending. Closing at once would reset the connection and could take the response
 * with it (RFC 9112 section 9.6), so the response is sent completely, the rest is discarded within limits, and then the
 * connection is closed.
 */
function sendBeforeBody(request: IncomingMessage, response: Response, given: JsonResponse): Promise<void> {
  const body = Buffer.from(JSON.stringify(given.body));
  response.status(given.status).set(given.headers as Record<string, string>);
  response.set({ 'Content-Type': 'application/json', 'Content-Length': String(body.length), Connection: 'close' });
  response.flushHeaders();
  if (request.method !== 'HEAD') response.write(body);
  return new Promise((resolve) => {
    let read = 0;
    const timer = setTimeout(settle, LINGER_MS);
    function onData(chunk: Buffer): void {
      read += chunk.length;
      if (read > LINGER_BYTES_MAX) settle();
    }
    function settle(): void {
      clearTimeout(timer);
      request.off('data', onData).off('end', settle).off('close', settle).off('error', settle);
      response.end();
      resolve();
    }
    request.on('data', onData).on('end', settle).on('close', settle).on('error', settle);
    request.resume();
  });
}
