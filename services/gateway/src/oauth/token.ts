import { createHash } from 'node:crypto';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { earliestSentAt, json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { oauthHttpError, refusesWith } from './oauth-json.ts';
import {
  foreignResource,
  isOwnResource,
  parameter,
  readParameters,
  resourceParameter,
  scopeParameter,
} from './oauth-parameters.ts';
import { shareResponses } from './share-responses.ts';

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

/** RFC 8628 section 3.4. */
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const tokenForm = z
  .discriminatedUnion(
    'grant_type',
    [
      z.object({
        grant_type: z.literal('authorization_code'),
        client_id: parameter,
        code: parameter.describe('Valid for ten minutes, single use.'),
        redirect_uri: parameter.describe('The redirect URI of the authorization request.'),
        code_verifier: parameter.describe('Code verifier (RFC 7636).'),
        resource: resourceParameter,
      }),
      z.object({
        grant_type: z.literal('refresh_token'),
        client_id: parameter,
        refresh_token: parameter.describe('Valid for 30 days, single use; the response contains the next one.'),
        scope: scopeParameter.optional(),
        resource: resourceParameter,
      }),
      z.object({
        grant_type: z.literal(DEVICE_GRANT),
        client_id: parameter,
        device_code: parameter.describe('Valid for ten minutes, single use.'),
        resource: resourceParameter,
      }),
    ],
    `must be authorization_code, refresh_token or ${DEVICE_GRANT}`,
  )
  .meta({ id: 'OAuthTokenRequest' });

/** RFC 6749 section 3.2: a form, and nothing but a form. */
export const token = ({ oauth }: Clients, evict: EvictCredential, baseUrl: BaseUrl) => {
  const share = shareResponses<Awaited<ReturnType<typeof oauth.issueTokens>>>({
    isKept: ({ outcome }) => outcome.case === 'tokens',
  });
  return endpoint('none')({
    route: 'POST /oauth/token',
    tag: 'OAuth',
    summary: 'Issue tokens',
    operationId: 'getTokens',
    description:
      'RFC 6749 and, with a device code, RFC 8628: until the employee has decided, the response is `authorization_pending`. Clients are public: they have no secret and use PKCE.',
    documents: { body: tokenForm },
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    responses: { 200: tokensSchema },
    errors: {
      400: refusesWith(
        'invalid_request',
        'invalid_grant',
        'invalid_scope',
        'invalid_target',
        'unsupported_grant_type',
        'unauthorized_client',
        'authorization_pending',
        'slow_down',
        'access_denied',
        'expired_token',
      ),
      401: refusesWith('invalid_client'),
    },
    async handle({ form, request }) {
      const read = readParameters(tokenForm, form ?? new URLSearchParams());
      if (!read.ok) throw oauthHttpError({ status: 400, ...read.problem });
      const { parameters } = read;
      if (!isOwnResource(parameters.resource, baseUrl(request)))
        throw oauthHttpError({ status: 400, ...foreignResource });
      const arrivedAt = earliestSentAt(request);
      const issue = () => oauth.issueTokens({ clientId: parameters.client_id, grant: grantOf(parameters, arrivedAt) });
      const { outcome, revoked } = await (parameters.grant_type === 'refresh_token'
        ? share(keyOf(parameters), arrivedAt, issue)
        : issue());
      if (revoked) evict(revoked);
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity returned no outcome');
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
};

/** A digest, so that no spent token stays in memory. */
function keyOf({ client_id, refresh_token }: { client_id: string; refresh_token: string }): string {
  return createHash('sha256').update(`${client_id} ${refresh_token}`).digest('base64url');
}

function grantOf(parameters: z.output<typeof tokenForm>, sentAt: Date) {
  if (parameters.grant_type === 'refresh_token') {
    const earliestSent = timestampFromDate(sentAt);
    return {
      case: 'refresh' as const,
      value: { refreshToken: parameters.refresh_token, earliestSentAt: earliestSent },
    };
  }
  if (parameters.grant_type === DEVICE_GRANT)
    return { case: 'device' as const, value: { deviceCode: parameters.device_code } };
  const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = parameters;
  return { case: 'code' as const, value: { code, redirectUri, codeVerifier } };
}
