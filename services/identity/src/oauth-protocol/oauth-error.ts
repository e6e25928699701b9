/** The codes of RFC 6749, 7591, 8628 and 8707 that we use, and the status of each. */
const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  temporarily_unavailable: 429,
} as const;

export type OAuthErrorCode = keyof typeof STATUS;

/** An OAuth error. A value, not an exception: each of them is a response of the protocol. */
export interface OAuthError {
  readonly status: number;
  readonly error: OAuthErrorCode;
  readonly errorDescription: string;
}

export function oauthError(error: OAuthErrorCode, errorDescription: string): OAuthError {
  return { status: STATUS[error], error, errorDescription };
}
