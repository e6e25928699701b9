import { create } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { runAsEmployee } from '../audit/credential-audit.ts';
import { attemptBy, type AuthenticationDeps } from '../authentication/authentication.ts';
import { clearAttempts, countResetRequest } from '../authentication/attempt-limits.ts';
import { hashPassword, passwordProblem } from '../passwords/password.ts';
import { hasPasswordReset, resetPassword } from './password-reset.ts';
import type { ResetRequests } from './reset-request-store.ts';

export interface PasswordResetDeps extends AuthenticationDeps {
  readonly resetRequests: ResetRequests;
  /** There is an e-mail to send. */
  readonly wakeMailer: () => void;
}

/** Addresses are not longer (RFC 5321 section 4.5.3.1: 64 before the @ and 255 behind it). */
const EMAIL_LENGTH_MAX = 320;

/** Does the same for existing and unknown addresses: neither response nor timing reveals which exist. */
export const requestPasswordResetRpc =
  (deps: PasswordResetDeps): Handler<typeof SignInService.method.requestPasswordReset, ServicePrincipal> =>
  async ({ email, visitor = create(VisitorSchema) }) => {
    const { throttles, resetRequests, wakeMailer, clock } = deps;
    if (email.length > EMAIL_LENGTH_MAX) return {};
    const { attempt } = await attemptBy(deps, email, visitor);
    const result = await countResetRequest(throttles, attempt);
    if (!result.allowed) return { refusal: { throttled: true, retryAfterSecs: result.retryAfterSecs } };
    await resetRequests.plan(attempt.emailKey, clock.now());
    wakeMailer();
    return {};
  };

export const getPasswordResetRpc =
  ({ accounts, clock }: AuthenticationDeps): Handler<typeof SignInService.method.getPasswordReset, ServicePrincipal> =>
  async ({ token }) => {
    const account = await accounts.byPasswordReset(digest(token));
    const valid = account !== undefined && hasPasswordReset(account, digest(token), clock.now());
    return valid ? { valid, email: account.email } : { valid };
  };

/** Opens no session: the e-mail is one factor, and a sign-in requires all of them. */
export const resetPasswordRpc =
  (deps: PasswordResetDeps): Handler<typeof SignInService.method.resetPassword, ServicePrincipal> =>
  async ({ token, password, visitor = create(VisitorSchema) }) => {
    const { accounts, throttles, wakeMailer, clock } = deps;
    const sent = digest(token);
    const account = await accounts.byPasswordReset(sent);
    if (!account || !hasPasswordReset(account, sent, clock.now())) return { reset: false };
    const problem = passwordProblem(password);
    if (problem) throw new Refused(problem);
    const passwordHash = await hashPassword(password);
    try {
      await runAsEmployee(account, undefined, () =>
        accounts
          .of(account.companyId)
          .change(account.id, (current) => resetPassword(current, sent, passwordHash, clock.now())),
      );
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not_found') return { reset: false };
      throw error;
    }
    wakeMailer();
    await clearAttempts(throttles, (await attemptBy(deps, account.email, visitor)).attempt);
    return { reset: true };
  };
