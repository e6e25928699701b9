import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { type Endpoint, endpoint, HttpError, json } from '@parley/http';
import { z } from 'zod';
import type { FaultSwitches } from '../faults/faults.ts';
import {
  createProviderMessages,
  type CustomerText,
  type OutgoingText,
  type ProviderMessages,
} from './provider-messages.ts';
import { acceptedJson, receivedEvent, rejectedJson, reportEvent } from './telnyx-payloads.ts';
import type { Config } from '../config.ts';

interface MessageRouteDeps {
  readonly messages: ProviderMessages;
  readonly faults: FaultSwitches;
  readonly clock: Clock;
  /** The provider's own. */
  readonly signingKey: KeyObject;
  /** The service that receives the callbacks. */
  readonly publicUrl: string;
}

const callbackStatus = z.int().nullable();

const outgoingJson = z.object({
  provider_id: z.string(),
  from: z.string(),
  to: z.string(),
  text: z.string(),
  status_callback: z.string(),
  submitted_at: z.string(),
});

/** An unencoded plus sign arrives as a space. */
const numberQuery = z.string().transform((to) => to.trim().replace(/^(?=\d)/, '+'));

/** The SMS provider: what the service sees of it, and how people outside are played. */
function messageRoutes(deps: MessageRouteDeps): Endpoint<undefined>[] {
  const { messages, clock, signingKey, publicUrl } = deps;

  const receive = endpoint('none')({
    route: 'POST /messages',
    tag: 'Texts',
    summary: 'Text a business number',
    description:
      'With `provider_id`, the callback of that text is repeated, in turn on both of its paths. With `media` it is an MMS, whose text may be omitted.',
    body: z.object({
      from: z.string().optional(),
      to: z.string().optional(),
      text: z.string().optional(),
      media: z.array(z.string().max(2000)).max(10).optional(),
      provider_id: z.string().min(1).max(200).optional(),
      signed_at: z.iso.datetime({ offset: true }).optional(),
    }),
    responses: { 201: z.object({ provider_id: z.string(), callback_status: callbackStatus }) },
    errors: [422],
    async handle({ body }) {
      const { from, to, media, provider_id: providerId, signed_at: signedAt } = body;
      const text = body.text ?? (media ? '' : undefined);
      const received = messages.receive(
        {
          ...(providerId !== undefined && { providerId }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(text !== undefined && { text }),
          ...(media && { media }),
        },
        clock.now(),
      );
      if (!received) throw new HttpError(422, { error: 'from, to and text are needed', code: 'validation_failed' });
      const status = await sendCallback(
        `${publicUrl}/webhooks/telnyx/${pathOf(received)}`,
        receivedEvent(received),
        signingKey,
        signedAt === undefined ? clock.now() : new Date(signedAt),
      );
      return json(201, { provider_id: received.providerId, callback_status: status });
    },
  });

  const list = endpoint('none')({
    route: 'GET /messages',
    tag: 'Texts',
    summary: 'List submitted texts',
    query: z.object({ to: numberQuery.optional() }),
    responses: { 200: z.array(outgoingJson) },
    handle: ({ query }) => json(200, messages.submitted(query.to).map(outgoingView)),
  });

  const report = endpoint('none')({
    route: 'POST /messages/:provider_id/delivery_report',
    tag: 'Texts',
    summary: 'Report what has become of a text',
    body: z.object({
      status: z.string().min(1).max(100),
      code: z.union([z.string().min(1).max(40), z.int().transform(String)]).optional(),
    }),
    responses: { 200: z.object({ callback_status: callbackStatus }) },
    errors: [404],
    async handle({ params, body: { status, code } }) {
      const text = messages.outgoing(params.provider_id);
      if (!text) throw new HttpError(404, { error: 'not_found' });
      const now = clock.now();
      const event = reportEvent(text, { status, ...(code !== undefined && { code }) }, now);
      return json(200, { callback_status: await sendCallback(text.statusCallback, event, signingKey, now) });
    },
  });

  return [telnyxEndpoint(deps), receive, list, report];
}

/** The canonical path and its alias, in turn. */
function pathOf({ callbacks }: CustomerText): string {
  return callbacks % 2 === 1 ? 'messages' : 'sms';
}

function outgoingView(text: OutgoingText): z.output<typeof outgoingJson> {
  return {
    provider_id: text.providerId,
    from: text.from,
    to: text.to,
    text: text.text,
    status_callback: text.statusCallback,
    submitted_at: text.submittedAt.toISOString(),
  };
}

/** There is no SMS provider without a key to sign its callbacks and a service to send them to. */
export function smsProviderRoutes(
  { TELNYX_SIGNING_KEY: key, PUBLIC_URL: publicUrl }: Config,
  deps: { faults: FaultSwitches; clock: Clock },
): Endpoint<undefined>[] {
  if (!key || !publicUrl) return [];
  return messageRoutes({ ...deps, messages: createProviderMessages(), signingKey: readSigningKey(key), publicUrl });
}

/** PKCS #8 in DER, base64. */
function readSigningKey(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
}

/** The headers Telnyx signs a callback with: Ed25519 over `timestamp|body`. */
function signatureHeaders(key: KeyObject, body: string, signedAt: Date): Record<string, string> {
  const timestamp = String(Math.floor(signedAt.getTime() / 1000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
  return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
}

/** Sends a callback; the status it was answered with, null when there was no answer. */
async function sendCallback(url: string, payload: object, key: KeyObject, signedAt: Date): Promise<number | null> {
  const body = JSON.stringify(payload);
  const headers = { 'Content-Type': 'application/json', ...signatureHeaders(key, body, signedAt) };
  try {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

const submission = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  text: z.string().min(1),
  webhook_url: z.url(),
});

/** Telnyx's own codes. */
const AUTHENTICATION_FAILED = '10009';
const INVALID_PARAMETER = '10015';

/** `POST /v2/messages` of Telnyx's API, with the configured faults. */
function telnyxEndpoint(deps: {
  messages: ProviderMessages;
  faults: FaultSwitches;
  clock: Clock;
}): Endpoint<undefined> {
  const { messages, faults, clock } = deps;
  return {
    role: 'none',
    method: 'post',
    path: '/v2/messages',
    tag: 'SMS provider',
    summary: 'Submit a text',
    body: 'bytes',
    responses: { 200: 'application/json' },
    async handle({ body, request, signal }) {
      const { smsSubmit, smsRejectCode } = faults.current();
      if (!/^Bearer .+/.test(request.headers.authorization ?? ''))
        return json(401, rejectedJson(AUTHENTICATION_FAILED));
      const given = submission.safeParse(parsed(body as Buffer));
      if (!given.success) return json(422, rejectedJson(INVALID_PARAMETER));
      if (smsSubmit === 'reject') return json(422, rejectedJson(smsRejectCode ?? ''));
      if (smsSubmit === 'error') return json(500, rejectedJson('10007'));
      if (smsSubmit === 'timeout') {
        await waitForAbort(signal);
        return json(500, {});
      }
      const { from, to, text, webhook_url: statusCallback } = given.data;
      const submitted = messages.submit({ from, to, text, statusCallback, submittedAt: clock.now() });
      if (smsSubmit === 'lost') request.socket.destroy();
      return json(200, acceptedJson(submitted));
    },
  };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
