import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { accessUntil } from '../grants/grant.ts';
import { principalOf } from './credential-principal.ts';
import type { CredentialDeps } from './credential-deps.ts';

export const verifyAccessTokenRpc =
  ({
    grants,
    recordGrantUse,
    currentAccount,
    clients,
    clock,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifyAccessToken, ServicePrincipal> =>
  async ({ accessToken }) => {
    const sent = digest(accessToken);
    const grant = await grants.byAccessToken(sent);
    const now = clock.now();
    const until = grant && accessUntil(grant, sent, now);
    if (!grant || !until) return {};
    const [account, client] = await Promise.all([currentAccount(grant.employeeId), clients.get(grant.clientId, now)]);
    if (!account) return {};
    recordGrantUse(grant);
    return {
      principal: principalOf(account, 'oauth_token', { id: grant.id, name: client?.name ?? grant.clientId }),
      validUntil: timestampFromDate(until),
    };
  };
