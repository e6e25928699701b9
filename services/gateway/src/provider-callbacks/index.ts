import { type Endpoint, endpoint, json } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers/peers.ts';

const BODY_BYTES_MAX = 256 * 1024;

/** The kind of a callback is in its body, so the paths are alike. */
const documentedPaths = {
  '/telnyx/messages': 'Receive a text from the provider',
  '/telnyx/delivery_reports': 'Receive a delivery report from the provider',
} as const;
const aliases = {
  '/telnyx/sms': documentedPaths['/telnyx/messages'],
  '/telnyx/sms_statuses': documentedPaths['/telnyx/delivery_reports'],
} as const;

/** Requested by the SMS provider, below /webhooks. */
export const providerCallbackEndpoints = (clients: Clients): Endpoint<undefined>[] => [
  ...documentedCallbackEndpoints(clients),
  ...callbackEndpoints(clients, aliases),
];

export const documentedCallbackEndpoints = (clients: Clients) => callbackEndpoints(clients, documentedPaths);

/** The provider signs the raw body, so the raw body is passed on. */
const callbackEndpoints = (
  { providerCallbacks }: Clients,
  paths: Readonly<Record<`/${string}`, string>>,
): Endpoint<undefined>[] =>
  Object.entries(paths).map(([path, summary]) =>
    endpoint('none')({
      route: `POST ${path}`,
      tag: 'Provider callbacks',
      summary,
      description:
        'For the SMS provider only: the body is refused unless the signature in the headers is the provider’s and recent. A repeated callback has no further effect.',
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
