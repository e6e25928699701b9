import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';

export const REDIRECT_URI = 'http://127.0.0.1:5555/callback';

type Kept = { authorizationUrl: string; verifier: string; tokens: OAuthTokens | undefined };

/** The storage of an MCP client of the SDK, in memory. */
export function inMemoryOAuthProvider(): { provider: OAuthClientProvider; kept: Kept } {
  const kept: Kept = { authorizationUrl: '', verifier: '', tokens: undefined };
  let client: any;
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: {
      client_name: 'MCP client',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'api',
    },
    state: () => 'mcp-state',
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.authorizationUrl = url.href),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
  return { provider, kept };
}
