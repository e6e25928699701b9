import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { secretContext } from './spend-code.ts';
import { beginTwoFactor, draftOf, newTwoFactorSecret, otpauthUri } from './two-factor.ts';

/** Every page that is loaded begins another enrolment; after a wrong code the same page continues its enrolment. */
export const beginTwoFactorRpc =
  ({
    accounts,
    encryptor,
    verifySession,
    clock,
  }: AuthenticationDeps): Handler<typeof SignInService.method.beginTwoFactor, ServicePrincipal> =>
  async (request) => {
    const verified = await verifySession(request.session);
    if (!verified || verified.stage === 'one_time_code') return { signedIn: false };
    const { account, session } = verified;
    const open = request.afterWrongCode ? draftOf(account, session.id, clock.now()) : undefined;
    const secret = open ? encryptor.decrypt(open.secret, secretContext(account)) : newTwoFactorSecret();
    if (!open) {
      const draft = { secret: encryptor.encrypt(secret, secretContext(account)), sessionId: session.id };
      // Refused where a second factor is on: somebody at an unlocked browser must not be able to replace it.
      await accounts.of(account.companyId).change(account.id, (current) => beginTwoFactor(current, draft, clock.now()));
    }
    return { signedIn: true, secret, otpauthUri: otpauthUri(secret, account) };
  };
