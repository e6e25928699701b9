import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AuthorizationRequestSchema } from '@parley/proto/identity/v1/oauth_pb';
import { z } from 'zod';
import {
  foreignResource,
  isOwnResource,
  parameter,
  type ParameterResult,
  parameterValue,
  readParameters,
  resourceParameter,
  scopeParameter,
} from './oauth-parameters.ts';

/** RFC 7636 section 4.2: a SHA-256 in base64url is 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** The query of an authorization request. */
export const authorizeQuery = z.object({
  response_type: z.literal('code', 'must be code'),
  client_id: parameter,
  redirect_uri: parameter.describe('One of the registered redirect URIs.'),
  state: parameter.describe('Returned unchanged in the redirect.'),
  scope: scopeParameter,
  code_challenge: z
    .string()
    .regex(CHALLENGE, 'must be a SHA-256 in base64url')
    .describe('SHA-256 of the code verifier, base64url-encoded (RFC 7636).'),
  code_challenge_method: z.literal('S256', 'must be S256'),
  response_mode: z.literal('query', 'must be query').optional(),
  resource: resourceParameter,
});

type AuthorizationRequest = MessageInitShape<typeof AuthorizationRequestSchema>;

/**
 * Reads an authorization request. Without a client and a redirect address nothing can be sent to the app, so that is a
 * problem to show here; every other one is part of the request, and the app is informed (RFC 6749 section 4.1.2.1).
 */
export function readAuthorizationRequest(
  query: URLSearchParams,
  issuer: string,
): ParameterResult<AuthorizationRequest> {
  const target = readParameters(authorizeQuery.pick({ client_id: true, redirect_uri: true }), query);
  if (!target.ok) return target;
  const { client_id: clientId, redirect_uri: redirectUri } = target.parameters;
  const state = parameterValue(query, 'state') ?? undefined;
  const parameters = codeRequest(query, issuer);
  return { ok: true, parameters: { clientId, redirectUri, issuer, ...(state !== undefined && { state }), parameters } };
}

function codeRequest(query: URLSearchParams, issuer: string): AuthorizationRequest['parameters'] {
  const read = readParameters(authorizeQuery, query);
  if (!read.ok) return { case: 'problem', value: read.problem };
  const { scope, code_challenge: codeChallenge, resource } = read.parameters;
  if (!isOwnResource(resource, issuer)) return { case: 'problem', value: foreignResource };
  return { case: 'code', value: { scope, codeChallenge } };
}
