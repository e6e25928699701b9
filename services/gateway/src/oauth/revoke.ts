import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { parameter, readParameters } from './oauth-parameters.ts';

const revokeForm = z
  .object({
    token: parameter.describe('An access token or a refresh token. Revoking a refresh token ends the whole grant.'),
    client_id: parameter,
    token_type_hint: z.string().optional().describe('Ignored.'),
  })
  .meta({ id: 'OAuthRevokeRequest' });

const revocation = revokeForm.pick({ token: true, client_id: true });
const FORM_BYTES_MAX = 64 * 1024;

/** RFC 7009: always 200, so that the response does not reveal whether a token exists. */
export const revoke = ({ oauth }: Clients, evict: EvictCredential) =>
  endpoint('none')({
    route: 'POST /oauth/revoke',
    tag: 'OAuth',
    summary: 'Revoke a token',
    operationId: 'revokeToken',
    description: 'RFC 7009. The response is always 200, also for an unknown token or one of another client.',
    documents: { body: revokeForm },
    bodySentAs: 'form',
    // Not parsed by the middleware, which would refuse what is no form.
    body: 'bytes',
    responses: { 200: z.object({}) },
    async handle({ body }) {
      const read = readParameters(revocation, formOf(body));
      if (!read.ok) return json(200, {});
      const { token, client_id: clientId } = read.parameters;
      const { revoked } = await oauth.revokeToken({ token, clientId });
      if (revoked) evict(revoked);
      return json(200, {});
    },
  });

/** A body that is too long for a form has no parameters. */
function formOf(body: Buffer): URLSearchParams {
  return new URLSearchParams(body.length > FORM_BYTES_MAX ? '' : body.toString());
}
