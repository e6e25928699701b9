import { decided } from '@parley/errors';
import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { countCodeAttempt } from '../authentication/attempt-limits.ts';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { spendCode } from './spend-code.ts';

export const disableTwoFactorRpc =
  (deps: AuthenticationDeps): Handler<typeof SignInService.method.disableTwoFactor, ServicePrincipal> =>
  async ({ code, session }) => {
    const { accounts, companyRules, throttles, verifySession } = deps;
    const verified = await verifySession(session);
    if (verified?.stage !== 'signed_in') return { disabled: false };
    const { account } = verified;
    if (await companyRules.requiresTwoFactor(account.companyId)) return { disabled: false };
    const result = await countCodeAttempt(throttles, account.employeeId);
    if (!result.allowed || !(await spendCode(deps, account, code))) return { disabled: false };
    await result.succeeded();
    await accounts.of(account.companyId).change(account.id, (current) => decided({ ...current, twoFactor: null }));
    return { disabled: true };
  };
