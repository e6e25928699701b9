import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { accessUntil } from '../grants/grant.ts';
import type { CredentialDeps } from './credential-deps.ts';

export const verifyAccessTokenRpc =
  ({
    grants,
    recordGrantUse,
    clock,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifyAccessToken, ServicePrincipal> =>
  async ({ accessToken }) => {
    const sent = digest(accessToken);
    const grant = await grants.byAccessToken(sent);
    const until = grant && accessUntil(grant, sent, clock.now());
    if (!grant || !until) return {};
    recordGrantUse(grant);
    return {
      principal: { companyId: grant.companyId, employeeId: grant.employeeId, credentialId: grant.id },
      validUntil: timestampFromDate(until),
    };
  };
