import type { OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import type { OAuthDeps } from './oauth-deps.ts';
import { returnToken } from '../grants/grant.ts';
import { readRefreshToken } from '../grants/tokens.ts';

/** RFC 7009: the response is always the same. `token_type_hint` is not needed. */
export const revokeTokenRpc =
  ({ grants }: OAuthDeps): Handler<typeof OAuthService.method.revokeToken, ServicePrincipal> =>
  async ({ token, clientId }) => {
    const refreshToken = readRefreshToken(token);
    const accessDigest = refreshToken ? undefined : digest(token);
    const grant = refreshToken
      ? await grants.byRefreshFamily(refreshToken.familyDigest)
      : await grants.byAccessToken(digest(token));
    if (!grant) return {};
    const isRevoked = await grants.decide(grant, (current) => returnToken(current, clientId, accessDigest));
    return isRevoked ? { revoked: { credentialId: grant.id, employeeId: grant.employeeId } } : {};
  };
