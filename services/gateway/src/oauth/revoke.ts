import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers.ts';
import { parametersFrom } from './oauth-json.ts';

const revokeForm = z
  .object({
    token: z.string().describe('An access token, or a refresh token: with that one the whole grant ends.'),
    client_id: z.string(),
    token_type_hint: z.string().optional().describe('Not needed.'),
  })
  .meta({ id: 'OAuthRevokeRequest' });

/** RFC 7009: 200 whatever is sent, so that the answer says nothing about what is a token. */
export const revoke = ({ oauth }: Clients, forget: ForgetCredential) =>
  endpoint()({
    method: 'post',
    path: '/oauth/revoke',
    tag: 'OAuth',
    summary: 'Give a token back',
    operationId: 'revokeToken',
    description: 'RFC 7009. The answer is the same for a token that is unknown, or of another app.',
    documents: { body: revokeForm },
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    responses: { 200: z.object({}) },
    async handle({ form }) {
      const { revoked } = await oauth.revokeToken({ parameters: parametersFrom(form) });
      if (revoked) forget(revoked);
      return json(200, {});
    },
  });
