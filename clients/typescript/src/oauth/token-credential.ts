import { type Credential, requireHeaderValue, withoutSecrets } from '../transport/credential.ts';
import type { OAuthTokens } from './tokens.ts';

/** The tokens of an employee's grant to an app. */
export interface OAuthOptions {
  readonly clientId: string;
  readonly tokens: OAuthTokens;
  /** Stores new tokens. They are used once it has finished; without it they are lost with the process. */
  readonly onTokens?: ((tokens: OAuthTokens) => void | Promise<void>) | undefined;
  /**
   * For tokens that several processes share. Called with tokens that are no longer accepted; resolves to those that another process has
   * stored meanwhile, or to those of `refresh`. No two processes may refresh at once: a refresh token is valid once.
   */
  readonly renewTokens?: RenewTokens | undefined;
}

export type RenewTokens = (
  refused: OAuthTokens,
  refresh: (refreshToken: string) => Promise<OAuthTokens>,
) => Promise<OAuthTokens>;

/** Tokens that are refreshed when the service no longer accepts them: once for all requests that wait for it. */
export function tokenCredential({
  tokens,
  onTokens,
  renewTokens = (refused, refreshWith) => refreshWith(refused.refresh_token),
  refresh,
}: Pick<OAuthOptions, 'tokens' | 'onTokens' | 'renewTokens'> & {
  refresh(refreshToken: string): Promise<OAuthTokens>;
}): Credential {
  let current = checked(tokens);
  /** Issued, but not stored: the refresh token of `current` is spent. */
  let unstored: OAuthTokens | undefined;
  let renewing: Promise<void> | undefined;

  async function renewOnce(): Promise<void> {
    unstored ??= checked(await renewTokens(current, refresh));
    await onTokens?.(unstored);
    current = unstored;
    unstored = undefined;
  }

  return {
    async headers() {
      // The request that renews gets the error; this one finds out with the old token.
      await renewing?.catch(() => undefined);
      return { Authorization: `Bearer ${current.access_token}` };
    },
    async renew(used) {
      if (used['Authorization'] !== `Bearer ${current.access_token}`) return true;
      renewing ??= renewOnce().finally(() => (renewing = undefined));
      await renewing;
      return true;
    },
    redact: (text) => withoutSecrets(text, [current, unstored ?? current].flatMap(secretsOf)),
    hasToken: true,
  };
}

function secretsOf({ access_token: access, refresh_token: refresh }: OAuthTokens): string[] {
  return [access, refresh];
}

function checked(tokens: OAuthTokens): OAuthTokens {
  requireHeaderValue(tokens.access_token, 'access_token');
  requireHeaderValue(tokens.refresh_token, 'refresh_token');
  return tokens;
}
