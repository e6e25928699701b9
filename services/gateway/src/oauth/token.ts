import { timestampDate } from '@bufbuild/protobuf/wkt';
import { answer, route } from '@parley/http';
import { z } from 'zod';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers.ts';
import { oauthHttpError, parametersFrom } from './oauth-json.ts';

const tokensSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    refresh_token: z.string(),
    scope: z.string(),
    created_at: z.int().describe('Seconds since 1970.'),
  })
  .meta({ id: 'OAuthTokens' });

/** RFC 6749 section 3.2: a form, and nothing but a form. */
export const token = ({ oauth }: Clients, forget: ForgetCredential) =>
  route()({
    method: 'post',
    path: '/oauth/token',
    tag: 'OAuth',
    summary: 'Get tokens for a code or a refresh token',
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    answers: { 200: tokensSchema },
    refuses: [400, 401],
    async handle({ form }) {
      const { outcome, revoked } = await oauth.issueTokens({ parameters: parametersFrom(form) });
      if (revoked) forget(revoked);
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity answered nothing');
      const { accessToken, expiresInSecs, refreshToken, scope, createdAt } = outcome.value;
      const body = {
        access_token: accessToken,
        token_type: 'Bearer' as const,
        expires_in: expiresInSecs,
        refresh_token: refreshToken,
        scope,
        created_at: createdAt ? Math.floor(timestampDate(createdAt).getTime() / 1000) : 0,
      };
      return answer(200, body, { Pragma: 'no-cache' });
    },
  });
