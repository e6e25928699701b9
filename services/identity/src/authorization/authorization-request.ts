import { oauthError, type OAuthError } from '../oauth-protocol/oauth-error.ts';
import type { OAuthClient } from '../oauth-clients/oauth-client.ts';

/** An authorization request as the gateway has read it. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** The base address of the server as it was called. */
  readonly issuer: string;
  readonly parameters: CodeRequest | AuthorizationProblem;
}

/** A request for an authorization code. */
interface CodeRequest {
  readonly scope: string;
  readonly codeChallenge: string;
}

/** Why the parameters are invalid, for the app. */
interface AuthorizationProblem {
  readonly error: string;
  readonly errorDescription: string;
}

/** The result of an authorization request: the consent page, a redirect to the app, or an error page. */
type AuthorizationCheck =
  | { readonly kind: 'ask'; readonly client: OAuthClient; readonly code: CodeRequest }
  | { readonly kind: 'redirect'; readonly redirect: string }
  | { readonly kind: 'error'; readonly error: OAuthError };

/**
 * Until client and redirect address are known to belong together nothing is sent anywhere (RFC 6749 section 4.1.2.1);
 * after that the app is informed of every problem. `client` is what the store has under the request's client id.
 */
export function checkAuthorization(request: AuthorizationRequest, client: OAuthClient | undefined): AuthorizationCheck {
  const { redirectUri, state, issuer, parameters } = request;
  if (!client) return { kind: 'error', error: oauthError('invalid_client', 'client_id is unknown') };
  if (!client.redirectUris.includes(redirectUri)) {
    const error = oauthError('invalid_request', 'redirect_uri is not one of the registered ones');
    return { kind: 'error', error };
  }
  if (!('error' in parameters)) return { kind: 'ask', client, code: parameters };
  const { error, errorDescription } = parameters;
  const answer = { error, error_description: errorDescription, state, iss: issuer };
  return { kind: 'redirect', redirect: redirectTarget(redirectUri, answer) };
}

/**
 * The redirect address with an answer in its query. The address itself stays as it was registered, character by
 * character, because parsing and formatting could change it.
 */
export function redirectTarget(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const glue = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${glue}${query}`;
}
