import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { holdsInvitation } from '../accounts/account.ts';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';

export const getInvitationRpc =
  ({ accounts, clock }: AuthenticationDeps): Handler<typeof SignInService.method.getInvitation, ServicePrincipal> =>
  async ({ token }) => {
    const account = await accounts.byInvitation(digest(token));
    const valid = account !== undefined && holdsInvitation(account, digest(token), clock.now());
    return valid ? { valid, email: account.email } : { valid };
  };
