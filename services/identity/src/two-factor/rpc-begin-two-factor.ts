import { decided, Refused, refusal } from '@parley/errors';
import type { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { SignInDeps } from '../sign-in/sign-in-deps.ts';
import { secretContext } from './spend-code.ts';
import { newTwoFactorSecret, otpauthUri } from './two-factor.ts';

const alreadyOn = refusal('conflict', 'the second factor is on already');

/** A page that is loaded again shows the same draft: the code a person has just scanned stays good. */
export const beginTwoFactorRpc =
  ({
    accounts,
    encryptor,
    verifySession,
  }: SignInDeps): Handler<typeof SignInService.method.beginTwoFactor, ServicePrincipal> =>
  async (request) => {
    const verified = await verifySession(request.session);
    if (!verified || verified.stage === 'one_time_code') return { signedIn: false };
    const { account } = verified;
    // Whoever found an open browser must not be able to put their own phone in the place of the employee's.
    if (account.twoFactor) throw new Refused(alreadyOn);
    const fresh = encryptor.encrypt(newTwoFactorSecret(), secretContext(account));
    const { twoFactorDraft } = await accounts
      .of(account.companyId)
      .change(account.id, (current) => decided({ ...current, twoFactorDraft: current.twoFactorDraft ?? fresh }));
    const secret = encryptor.decrypt(twoFactorDraft ?? fresh, secretContext(account));
    return { signedIn: true, secret, otpauthUri: otpauthUri(secret, account) };
  };
