import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { holdsReset } from './password-reset.ts';

export const getPasswordResetRpc =
  ({ accounts, clock }: AuthenticationDeps): Handler<typeof SignInService.method.getPasswordReset, ServicePrincipal> =>
  async ({ token }) => {
    const account = await accounts.byPasswordReset(digest(token));
    const valid = account !== undefined && holdsReset(account, digest(token), clock.now());
    return valid ? { valid, email: account.email } : { valid };
  };
