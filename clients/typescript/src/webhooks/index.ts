import type { WebhookEvent } from '../generated/events.ts';
import { decodeSecret, sameText, signature } from './signature.ts';

export type { WebhookEvent } from '../generated/events.ts';

/** Why a request was refused. */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch'
  | 'invalid_body';

/** The request does not come from the service, or is not what the service sent: respond with 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** As Node.js, Express, Fetch and others have them; names in any case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** The body as it arrived: a parsed one cannot be verified. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

export interface VerifyOptions {
  /** How far the time of the request may be from this machine's; default 300. */
  readonly toleranceSecs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const TOLERANCE_SECS = 300;
/** The service sends two while a secret is rotated. */
const SIGNATURES_MAX = 20;

/**
 * The event of a request to a webhook, once its signature was verified (Standard Webhooks). After a rotation of the secret, for
 * a day, `secret` may be the list of both.
 */
export async function verifyWebhook(
  rawBody: WebhookBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSecs = TOLERANCE_SECS, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const keys = [secret].flat().map(decodeSecret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, SIGNATURES_MAX);
  checkTimestamp(timestamp, toleranceSecs, now() / 1000);
  let isSigned = false;
  // All of them are compared, so that the time does not tell which one fits.
  for (const key of keys) {
    const expected = await signature(key, id, timestamp, body);
    for (const given of signatures) if (sameText(given, expected)) isSigned = true;
  }
  if (!isSigned) throw new WebhookVerificationError('signature_mismatch', 'no signature fits the secret');
  return parseEvent(body);
}

export interface SignOptions {
  /** The value of `webhook-id`. */
  readonly id?: string;
  /** Seconds since 1970. */
  readonly timestamp?: number;
}

/** The headers of a request to a webhook with this body, for tests of a receiver. */
export async function signWebhook(
  rawBody: WebhookBody,
  secret: string | readonly string[],
  { id = 'msg_test', timestamp = Math.floor(Date.now() / 1000) }: SignOptions = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const body = bytesOf(rawBody);
  const keys = [secret].flat().map(decodeSecret);
  const signatures = await Promise.all(keys.map((key) => signature(key, id, String(timestamp), body)));
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}

function bytesOf(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('the body must be the text or the bytes that arrived, not what was parsed from them');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = entries.filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value ?? []);
  const [value] = values;
  // A header that was sent twice has no value to rely on.
  if (values.length !== 1 || value === '')
    throw new WebhookVerificationError('missing_header', `the request has no single header ${name}`);
  return value as string;
}

function checkTimestamp(timestamp: string, toleranceSecs: number, nowSecs: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('invalid_timestamp', 'webhook-timestamp is no number of seconds');
  const ageSecs = nowSecs - Number(timestamp);
  if (ageSecs > toleranceSecs)
    throw new WebhookVerificationError('timestamp_too_old', `the request was signed ${Math.round(ageSecs)} s ago`);
  if (ageSecs < -toleranceSecs)
    throw new WebhookVerificationError('timestamp_in_future', `the request is ${Math.round(-ageSecs)} s in the future`);
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event === 'object' && event !== null && 'event' in event && typeof event.event === 'string')
      return event as WebhookEvent;
  } catch {
    // Below.
  }
  throw new WebhookVerificationError('invalid_body', 'the body is not an event');
}
