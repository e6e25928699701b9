import { create } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { countCodeAttempt } from '../authentication/attempt-limits.ts';
import { runAsEmployee } from '../audit/credential-audit.ts';
import { type AuthenticationDeps, startSession } from '../authentication/authentication.ts';
import { secretContext, verifyCode } from './verify-code.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  disableTwoFactor,
  draftOf,
  newRecoveryCodes,
  newTwoFactorSecret,
  otpauthUri,
  recoveryDigest,
  wrongCode,
} from './two-factor.ts';

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
    if (!result.allowed) return { throttled: true, retryAfterSecs: result.retryAfterSecs };
    const recoveryCodes = newRecoveryCodes();
    const secret = encryptor.decrypt(draft.secret, secretContext(account));
    const read = { encrypted: draft.secret, secret, sessionId: session.id };
    const digests = recoveryCodes.map(recoveryDigest);
    try {
      await runAsEmployee(account, session.id, () =>
        accounts
          .of(account.companyId)
          .change(account.id, (current) =>
            confirmTwoFactor(current, read, code.replaceAll(/\s/g, ''), digests, clock.now()),
          ),
      );
    } catch (error) {
      if (error instanceof Refused && error.refusal === wrongCode) return { confirmed: false };
      throw error;
    }
    await result.succeeded();
    if (session.stage === 'signed_in') return { confirmed: true, recoveryCodes };
    return { confirmed: true, recoveryCodes, opened: await startSession(deps, account, 'signed_in', visitor) };
  };

export const disableTwoFactorRpc =
  (deps: AuthenticationDeps): Handler<typeof SignInService.method.disableTwoFactor, ServicePrincipal> =>
  async ({ code, session }) => {
    const { accounts, companyRules, throttles, verifySession } = deps;
    const verified = await verifySession(session);
    if (verified?.stage !== 'signed_in') return { disabled: false };
    const { account } = verified;
    if (await companyRules.requiresTwoFactor(account.companyId)) return { required: true };
    const result = await countCodeAttempt(throttles, account.employeeId);
    if (!result.allowed) return { throttled: true, retryAfterSecs: result.retryAfterSecs };
    if (!(await verifyCode(deps, account, code))) return { disabled: false };
    await result.succeeded();
    await runAsEmployee(account, verified.session.id, () =>
      accounts.of(account.companyId).change(account.id, (current) => disableTwoFactor(current)),
    );
    return { disabled: true };
  };
