import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { systemClock } from '@parley/clock';
import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { oauthHttpError, parametersFrom, refusesWith } from './oauth-json.ts';

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

const resourceParameter = z.string().optional().describe('The base address, or that of `/mcp` (RFC 8707).');

const tokenForm = z
  .discriminatedUnion('grant_type', [
    z.object({
      grant_type: z.literal('authorization_code'),
      client_id: z.string(),
      code: z.string().describe('Valid for ten minutes, single use.'),
      redirect_uri: z.string().describe('The redirect URI of the authorization request.'),
      code_verifier: z.string().describe('Code verifier (RFC 7636).'),
      resource: resourceParameter,
    }),
    z.object({
      grant_type: z.literal('refresh_token'),
      client_id: z.string(),
      refresh_token: z.string().describe('Valid for 30 days, single use; the response contains the next one.'),
      scope: z.literal('api').optional(),
      resource: resourceParameter,
    }),
  ])
  .meta({ id: 'OAuthTokenRequest' });

/** RFC 6749 section 3.2: a form, and nothing but a form. */
export const token = ({ oauth }: Clients, forget: ForgetCredential, baseUrl: BaseUrl) =>
  endpoint()({
    method: 'post',
    path: '/oauth/token',
    tag: 'OAuth',
    summary: 'Issue tokens',
    operationId: 'getTokens',
    description: 'RFC 6749. Clients are public: they have no secret and use PKCE.',
    documents: { body: tokenForm },
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    responses: { 200: tokensSchema },
    errors: {
      400: refusesWith('invalid_request', 'invalid_grant', 'invalid_scope', 'invalid_target', 'unsupported_grant_type'),
      401: refusesWith('invalid_client'),
    },
    async handle({ form, request }) {
      const { outcome, revoked } = await oauth.issueTokens({
        parameters: parametersFrom(form),
        receivedAt: timestampFromDate(systemClock.now()),
        issuer: baseUrl(request),
      });
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
      return json(200, body, { Pragma: 'no-cache' });
    },
  });
