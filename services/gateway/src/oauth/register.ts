import { addressKey, type FieldProblems, json, endpoint, validate } from '@parley/http';
import { z } from 'zod';
import type { AddressOf } from '../client-address/client-address.ts';
import type { Clients } from '../peers/peers.ts';
import { clientJson, clientSchema, oauthHttpError, type OAuthErrorFields, refusesWith } from './oauth-json.ts';

/** All redirect URIs of a client together have a limit too; identity checks it with the form of each. */
const metadata = z
  .object({
    redirect_uris: z
      .array(z.string().max(2000))
      .min(1)
      .max(20)
      .describe('Redirect URIs, compared exactly; at most 8,192 bytes together.'),
    client_name: z
      .string()
      .trim()
      .max(128)
      .nullish()
      .describe('Name shown to the employee; defaults to the host of the redirect URI.'),
    token_endpoint_auth_method: z.literal('none').nullish(),
  })
  .meta({ id: 'OAuthClientMetadata', description: 'Other fields of RFC 7591 are accepted and ignored.' });

/** RFC 7591. */
export const register = ({ oauth }: Clients, addressOf: AddressOf) =>
  endpoint('none')({
    route: 'POST /oauth/register',
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
      const validated = validate(metadata, body);
      if ('fields' in validated) throw oauthHttpError(metadataProblem(validated.fields));
      const { redirect_uris: redirectUris, client_name: clientName } = validated.value;
      const { outcome } = await oauth.registerClient({
        redirectUris,
        ...(clientName && { clientName }),
        address: addressKey(addressOf(request)),
      });
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity returned no outcome');
      return json(201, clientJson(outcome.value));
    },
  });

const notAnObject = {
  status: 400,
  error: 'invalid_client_metadata',
  errorDescription: 'the body must be a JSON object',
};

/** RFC 7591 section 3.2.2; a problem of the redirect URIs is reported first. */
function metadataProblem(fields: FieldProblems): OAuthErrorFields {
  const names = Object.keys(fields);
  const name = names.find((field) => field.startsWith('redirect_uris')) ?? names[0] ?? 'body';
  const error = name.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return { status: 400, error, errorDescription: `${name} ${fields[name]?.[0] ?? 'is invalid'}` };
}
