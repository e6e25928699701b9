import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers.ts';
import { parametersFrom } from './oauth-json.ts';

const revokeForm = z
  .object({
    token: z.string().describe('An access token or a refresh token. Revoking a refresh token ends the whole grant.'),
    client_id: z.string(),
    token_type_hint: z.string().optional().describe('Ignored.'),
  })
  .meta({ id: 'OAuthRevokeRequest' });

const PARAMETERS = ['token', 'client_id'];
const FORM_BYTES_MAX = 64 * 1024;

/** RFC 7009: 200 whatever is sent, so that the answer says nothing about what is a token. */
export const revoke = ({ oauth }: Clients, forget: ForgetCredential) =>
  endpoint()({
    method: 'post',
    path: '/oauth/revoke',
    tag: 'OAuth',
    summary: 'Revoke a token',
    operationId: 'revokeToken',
    description: 'RFC 7009. The response is 200 whatever is sent, also for an unknown token or one of another client.',
    documents: { body: revokeForm },
    bodySentAs: 'form',
    // Not parsed by the middleware, which would refuse what is no form.
    body: 'bytes',
    responses: { 200: z.object({}) },
    async handle({ body }) {
      const { revoked } = await oauth.revokeToken({ parameters: parametersFrom(formOf(body)) });
      if (revoked) forget(revoked);
      return json(200, {});
    },
  });

/** The parameters that count, as a form has them; a body that is no form has none. */
function formOf(body: Buffer): URLSearchParams {
  if (body.length > FORM_BYTES_MAX) return new URLSearchParams();
  const given = new URLSearchParams(body.toString());
  return new URLSearchParams(
    PARAMETERS.flatMap((name) => given.getAll(name).map((value): [string, string] => [name, value])),
  );
}
