import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { codeError, errorResponse, HttpError, notFoundResponse } from './error-responses.ts';
import type { JsonResponse } from './response.ts';
import { sendResponse } from './send-response.ts';

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
