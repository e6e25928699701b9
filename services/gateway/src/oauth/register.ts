import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { AddressOf } from '../client-address.ts';
import type { Clients } from '../peers.ts';
import { clientJson, clientSchema, oauthHttpError, refusesWith } from './oauth-json.ts';

const notAnObject = {
  status: 400,
  error: 'invalid_client_metadata',
  errorDescription: 'the body must be a JSON object',
};

const metadata = z
  .object({
    redirect_uris: z
      .array(z.string().max(2000))
      .min(1)
      .max(20)
      .describe('Redirect URIs, compared exactly; at most 8,192 bytes together.'),
    client_name: z
      .string()
      .max(128)
      .optional()
      .describe('Name shown to the employee; defaults to the host of the redirect URI.'),
    token_endpoint_auth_method: z.literal('none').optional(),
  })
  .meta({ id: 'OAuthClientMetadata', description: 'Other fields of RFC 7591 are accepted and ignored.' });

/** RFC 7591. Identity reads the metadata; here it is only JSON. */
export const register = ({ oauth }: Clients, addressOf: AddressOf) =>
  endpoint()({
    method: 'post',
    path: '/oauth/register',
    tag: 'OAuth',
    summary: 'Register a client',
    description: 'RFC 7591. A client that no employee has authorized is deleted after seven days.',
    documents: { body: metadata },
    body: z.looseObject({}),
    bodyBytesMax: 16 * 1024,
    responses: { 201: clientSchema },
    errors: {
      400: refusesWith('invalid_redirect_uri', 'invalid_client_metadata'),
      429: refusesWith('temporarily_unavailable'),
    },
    inputError: () => oauthHttpError(notAnObject),
    async handle({ body, form, request }) {
      if (form !== undefined) throw oauthHttpError(notAnObject);
      const { outcome } = await oauth.registerClient({
        metadataJson: JSON.stringify(body),
        address: addressOf(request),
      });
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity answered nothing');
      return json(201, clientJson(outcome.value));
    },
  });
