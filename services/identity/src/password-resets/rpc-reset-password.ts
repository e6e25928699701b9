import { create } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { hashPassword, passwordProblem } from '../passwords/password.ts';
import { attemptBy } from '../authentication/attempt-by.ts';
import { clearAttempts } from '../authentication/attempt-limits.ts';
import type { PasswordResetDeps } from './password-reset-deps.ts';
import { holdsReset, resetPassword } from './password-reset.ts';

/** Opens no session: the e-mail is one factor, and a sign-in requires all of them. */
export const resetPasswordRpc =
  (deps: PasswordResetDeps): Handler<typeof SignInService.method.resetPassword, ServicePrincipal> =>
  async ({ token, password, visitor = create(VisitorSchema) }) => {
    const { accounts, throttles, mailPlanned, clock } = deps;
    const sent = digest(token);
    const account = await accounts.byPasswordReset(sent);
    if (!account || !holdsReset(account, sent, clock.now())) return { reset: false };
    const problem = passwordProblem(password);
    if (problem) throw new Refused(problem);
    const passwordHash = await hashPassword(password);
    try {
      await accounts
        .of(account.companyId)
        .change(account.id, (current) => resetPassword(current, sent, passwordHash, clock.now()));
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not_found') return { reset: false };
      throw error;
    }
    mailPlanned();
    await clearAttempts(throttles, (await attemptBy(deps, account.email, visitor)).attempt);
    return { reset: true };
  };
