import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';

export const getTwoFactorRpc =
  ({
    companyRules,
    verifySession,
  }: AuthenticationDeps): Handler<typeof SignInService.method.getTwoFactor, ServicePrincipal> =>
  async ({ session }) => {
    const verified = await verifySession(session);
    if (!verified || verified.stage === 'one_time_code') return {};
    const { twoFactor, companyId } = verified.account;
    return {
      enabled: twoFactor !== null,
      required: await companyRules.requiresTwoFactor(companyId),
      recoveryCodesLeft: twoFactor?.recoveryDigests.length ?? 0,
    };
  };
