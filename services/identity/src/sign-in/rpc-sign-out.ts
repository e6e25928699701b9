import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';

export const signOutRpc =
  ({ sessions }: AuthenticationDeps): Handler<typeof SignInService.method.signOut, ServicePrincipal> =>
  async (request) => {
    const session = await sessions.bySecret(request.session);
    if (session) await sessions.end(session);
    return {};
  };
