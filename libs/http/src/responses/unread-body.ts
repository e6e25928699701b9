import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { JsonResponse } from './response.ts';

/** An unread body up to this size is left to Node, which reads it away and keeps the connection. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** The limits of reading and discarding a refused body, so that the client receives its response. */
const LINGER_MS = 2_000;
const LINGER_BYTES_MAX = 64 * 1024 * 1024;

/** True while the client may still be sending a large body that was not read. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (complete || (length === undefined && headers['transfer-encoding'] === undefined)) return false;
  return length === undefined || Number(length) > UNREAD_BYTES_MAX;
}

/**
 * Responds to a client that is still sending. Closing at once would reset the connection and could take the response
 * with it (RFC 9112 section 9.6), so the response is sent completely, the rest is discarded within limits, and then the
 * connection is closed.
 */
export function sendBeforeBody(request: IncomingMessage, response: Response, given: JsonResponse): Promise<void> {
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
