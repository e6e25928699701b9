import type { KeyObject } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { type Endpoint, endpoint, HttpError, json } from '@parley/http';
import { z } from 'zod';
import type { FaultSwitches } from '../faults/faults.ts';
import {
  type CustomerText,
  type OutgoingText,
  type ProviderMessages,
  createProviderMessages,
} from './provider-messages.ts';
import { sendCallback, readSigningKey } from './signed-callback.ts';
import { telnyxEndpoint } from './telnyx-api.ts';
import { receivedEvent, reportEvent } from './telnyx-payloads.ts';
import type { Config } from '../config.ts';

export interface MessageRouteDeps {
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
