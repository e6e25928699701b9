import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RecordedEvent } from '@parley/sdk';
import { signWebhook } from '@parley/sdk/webhooks';
import { wrongUsage } from '../errors.ts';

/** What became of a request to the user's program. */
export interface Forwarded {
  /** Null without a response. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** As the service's own deliveries. */
const USER_AGENT = 'Parley-Webhooks/1.0';
const TIME_LIMIT_MS = 15_000;
const ANSWER_BYTES_MAX = 65_536;

/** An address of the user's program. */
export function readForwardUrl(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw wrongUsage(
    `${option} is no address`,
    'It begins with http:// or https://, such as http://localhost:3000/hooks.',
  );
}

/** The body of a delivery, byte for byte: an event without its id. */
export function deliveryBody({ event, timestamp, data }: RecordedEvent): string {
  return JSON.stringify({ event, timestamp, data });
}

/** The same whenever this event is forwarded, so that a receiver recognises it. */
function deliveryId(eventId: string): string {
  return `whd_${createHash('sha256').update(`${eventId}/forwarded`).digest('hex').slice(0, 32)}`;
}

/** POSTs an event as a webhook does: the same body, headers and time limit; redirects are not followed. Never rejects but with the signal's reason. */
export async function forward(event: RecordedEvent, url: URL, secret: string, signal: AbortSignal): Promise<Forwarded> {
  signal.throwIfAborted();
  const body = Buffer.from(deliveryBody(event));
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'parley-event-id': event.id,
    ...(await signWebhook(body, secret, { id: deliveryId(event.id) })),
    'content-length': String(body.length),
  };
  const started = performance.now();
  const outcome = await exchange(url, headers, body, signal).then(
    (statusCode) => ({ statusCode, error: isSuccess(statusCode) ? null : `the receiver answered ${statusCode}` }),
    (error: unknown) => ({ statusCode: null, error: reasonOf(error) }),
  );
  signal.throwIfAborted();
  return { ...outcome, durationMs: Math.round(performance.now() - started) };
}

export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/** Without `fetch`, which adds headers that a delivery has not. */
function exchange(url: URL, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = send(url, { method: 'POST', headers, signal: limit }, (response) => {
      let bytes = 0;
      // The answer says nothing more; a long one is cut off.
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) response.destroy();
      });
      response.on('error', () => undefined);
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', (error) => reject(limit.aborted && !signal.aborted ? timedOut() : error));
    sent.end(body);
  });
}

function timedOut(): Error {
  return new Error(`no answer within ${TIME_LIMIT_MS / 1000} s`);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  return message || code || 'no answer';
}
