import { type Endpoint, endpoint, json } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers/peers.ts';

const BODY_BYTES_MAX = 256 * 1024;

/** The canonical paths and their aliases: the kind of a callback is in its body. */
const paths = ['/telnyx/messages', '/telnyx/delivery_reports', '/telnyx/sms', '/telnyx/sms_statuses'] as const;

/** What the SMS provider calls, below /webhooks. Its signature is over the body as it came, so that is passed on. */
export const providerCallbackEndpoints = ({ providerCallbacks }: Clients): Endpoint<undefined>[] =>
  paths.map((path) =>
    endpoint()({
      role: 'none',
      method: 'post',
      path,
      tag: 'Provider callbacks',
      summary: 'Receive a callback',
      headers: z.object({
        'telnyx-signature-ed25519': z.string().max(1000).optional(),
        'telnyx-timestamp': z.string().max(100).optional(),
      }),
      body: 'bytes',
      bodyBytesMax: BODY_BYTES_MAX,
      responses: { 200: z.object({}) },
      errors: [400, 401, 404],
      async handle({ body, headers }) {
        await providerCallbacks.receiveCallback({
          rawBody: body,
          signature: headers['telnyx-signature-ed25519'] ?? '',
          timestamp: headers['telnyx-timestamp'] ?? '',
        });
        return json(200, {});
      },
    }),
  );
