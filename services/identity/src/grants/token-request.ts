import { oauthError, type OAuthError, type OAuthErrorCode } from '../oauth/oauth-error.ts';
import type { Parameters } from '../oauth/parameters.ts';
import { isOwnResource } from '../oauth/resource.ts';
import { grantableScope } from '../oauth/scope.ts';

export type TokenRequest =
  | {
      readonly grantType: 'authorization_code';
      readonly clientId: string;
      readonly code: string;
      readonly redirectUri: string;
      readonly verifier: string;
    }
  | { readonly grantType: 'refresh_token'; readonly clientId: string; readonly refreshToken: string };

const KNOWN = [
  'grant_type',
  'client_id',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
] as const;

const REQUIRED = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
} as const;

/** Reads a token request. `isClient` says whether the client is known, and is asked once the request makes sense that far. */
export async function readTokenRequest(
  parameters: Parameters,
  issuer: string,
  isClient: (clientId: string) => Promise<boolean>,
): Promise<{ ok: true; request: TokenRequest } | { ok: false; error: OAuthError }> {
  const broken = parameters.broken(KNOWN);
  if (broken) return no('invalid_request', `${broken} is repeated or malformed`);
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) return no('invalid_request', 'grant_type is missing');
  const clientId = parameters.get('client_id');
  if (clientId === undefined) return no('invalid_request', 'client_id is missing');
  if (!(await isClient(clientId))) return no('invalid_client', 'client_id is unknown');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    return no('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  const missing = REQUIRED[grantType].find((name) => parameters.get(name) === undefined);
  if (missing) return no('invalid_request', `${missing} is missing`);
  if (!isOwnResource(parameters.get('resource') ?? issuer, issuer))
    return no('invalid_target', 'resource is not an address of this service');
  const scope = parameters.get('scope');
  if (grantType === 'refresh_token') {
    // RFC 6749 section 6: never wider than what was granted, and that is always the same.
    if (scope !== undefined && grantableScope(scope) === undefined)
      return no('invalid_scope', 'the scope is wider than what was granted');
    return { ok: true, request: { grantType, clientId, refreshToken: parameters.get('refresh_token') ?? '' } };
  }
  const code = parameters.get('code') ?? '';
  const redirectUri = parameters.get('redirect_uri') ?? '';
  const verifier = parameters.get('code_verifier') ?? '';
  return { ok: true, request: { grantType, clientId, code, redirectUri, verifier } };
}

function no(code: OAuthErrorCode, description: string): { ok: false; error: OAuthError } {
  return { ok: false, error: oauthError(code, description) };
}
