import { oauthError, type OAuthError, type OAuthErrorCode } from '../oauth/oauth-error.ts';
import type { OAuthClient } from '../oauth-clients/oauth-client.ts';
import type { Parameters } from '../oauth/parameters.ts';
import { isChallenge } from '../oauth/pkce.ts';
import { isOwnResource } from '../oauth/resource.ts';
import { grantableScope } from '../oauth/scope.ts';
import { redirectTarget } from './redirect-target.ts';

/** An authorization request that can be put to an employee. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly challenge: string;
  readonly state: string;
}

/** Where an authorization request leads: to a question, back to the app, or to an error that stays here. */
export type AuthorizationCheck =
  | { readonly kind: 'ask'; readonly request: AuthorizationRequest }
  | { readonly kind: 'redirect'; readonly redirect: string }
  | { readonly kind: 'error'; readonly error: OAuthError };

const KNOWN = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'state',
  'response_mode',
  'resource',
] as const;

/**
 * Until client and redirect address are known to belong together nothing is sent anywhere (RFC 6749 section 4.1.2.1);
 * after that the app hears of every problem. `client` is what the store has under the request's `client_id`.
 */
export function checkAuthorization(
  parameters: Parameters,
  client: OAuthClient | undefined,
  issuer: string,
): AuthorizationCheck {
  const untrusted = parameters.broken(['client_id', 'redirect_uri']);
  if (untrusted) return stay(oauthError('invalid_request', `${untrusted} is repeated or malformed`));
  if (parameters.get('client_id') === undefined) return stay(oauthError('invalid_request', 'client_id is missing'));
  if (!client) return stay(oauthError('invalid_client', 'client_id is unknown'));
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined) return stay(oauthError('invalid_request', 'redirect_uri is missing'));
  if (!client.redirectUris.includes(redirectUri))
    return stay(oauthError('invalid_request', 'redirect_uri is not one of the registered ones'));

  const state = parameters.broken(['state']) ? undefined : parameters.get('state');
  const problem = requestProblem(parameters, issuer);
  if (problem) {
    const [error, description] = problem;
    return {
      kind: 'redirect',
      redirect: redirectTarget(redirectUri, { error, error_description: description, state, iss: issuer }),
    };
  }
  const request = {
    clientId: client.id,
    redirectUri,
    scope: grantableScope(parameters.get('scope') ?? '') ?? '',
    challenge: parameters.get('code_challenge') ?? '',
    state: state ?? '',
  };
  return { kind: 'ask', request };
}

function requestProblem(parameters: Parameters, issuer: string): [OAuthErrorCode, string] | undefined {
  const broken = parameters.broken(KNOWN);
  if (broken) return ['invalid_request', `${broken} is repeated or malformed`];
  const responseType = parameters.get('response_type');
  const required = ['response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method'] as const;
  const missing = required.find((name) => parameters.get(name) === undefined);
  if (missing) return ['invalid_request', `${missing} is missing`];
  if (responseType !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return ['invalid_request', 'response_mode must be query'];
  if (parameters.get('code_challenge_method') !== 'S256')
    return ['invalid_request', 'code_challenge_method must be S256'];
  if (!isChallenge(parameters.get('code_challenge') ?? ''))
    return ['invalid_request', 'code_challenge must be a SHA-256 in base64url'];
  if (grantableScope(parameters.get('scope') ?? '') === undefined)
    return ['invalid_scope', 'the only scope an app can have is api'];
  if (!isOwnResource(parameters.get('resource') ?? issuer, issuer))
    return ['invalid_target', 'resource is not an address of this service'];
  return undefined;
}

function stay(error: OAuthError): AuthorizationCheck {
  return { kind: 'error', error };
}
