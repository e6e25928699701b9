import { create } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { startSession } from '../authentication/start-session.ts';
import { countCodeAttempt } from '../authentication/attempt-limits.ts';
import { secretContext } from './spend-code.ts';
import { confirmTwoFactor, draftOf, newRecoveryCodes, recoveryDigest, wrongCode } from './two-factor.ts';

/** An employee who had to set up a second factor first is then signed in with a new session. */
export const confirmTwoFactorRpc =
  (deps: AuthenticationDeps): Handler<typeof SignInService.method.confirmTwoFactor, ServicePrincipal> =>
  async ({ code, visitor = create(VisitorSchema) }) => {
    const { accounts, encryptor, verifySession, throttles, clock } = deps;
    const verified = await verifySession(visitor.session);
    if (!verified || verified.stage === 'one_time_code') return { confirmed: false };
    const { account, session } = verified;
    const draft = draftOf(account, session.id, clock.now());
    if (!draft) return { confirmed: false };
    const result = await countCodeAttempt(throttles, account.employeeId);
    if (!result.allowed) return { confirmed: false };
    const recoveryCodes = newRecoveryCodes();
    const secret = encryptor.decrypt(draft.secret, secretContext(account));
    const read = { encrypted: draft.secret, secret, sessionId: session.id };
    const digests = recoveryCodes.map(recoveryDigest);
    try {
      await accounts
        .of(account.companyId)
        .change(account.id, (current) =>
          confirmTwoFactor(current, read, code.replaceAll(/\s/g, ''), digests, clock.now()),
        );
    } catch (error) {
      if (error instanceof Refused && error.refusal === wrongCode) return { confirmed: false };
      throw error;
    }
    await result.succeeded();
    if (session.stage === 'signed_in') return { confirmed: true, recoveryCodes };
    return { confirmed: true, recoveryCodes, opened: await startSession(deps, account, 'signed_in', visitor) };
  };
