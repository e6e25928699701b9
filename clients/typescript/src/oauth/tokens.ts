/** Tokens as the service issues them; what is stored and given to the client again. */
export interface OAuthTokens {
  readonly access_token: string;
  /** Valid once: a refresh replaces it. */
  readonly refresh_token: string;
  readonly token_type?: string;
  /** Seconds. */
  readonly expires_in?: number;
  readonly scope?: string;
  /** Seconds since 1970. */
  readonly created_at?: number;
  readonly [field: string]: unknown;
}
