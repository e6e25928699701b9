import {
  EmailConfirmationOutcome as Outcome,
  type EmailConfirmationService,
} from '@parley/proto/identity/v1/email_confirmations_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { Account } from '../accounts/account.ts';
import { countCodeAttempt, countPasswordAttempt } from '../authentication/attempt-limits.ts';
import { verifyPassword } from '../passwords/password.ts';
import { spendCode } from '../two-factor/spend-code.ts';
import { replacesPassword } from '../two-factor/two-factor.ts';
import { confirmEmail } from './confirm-email.ts';
import { mayConfirmEmail } from '../accounts/email-confirmation.ts';
import type { EmailConfirmationDeps } from './email-confirmation-deps.ts';

/**
 * A browser that was left open, or a stolen session, is not enough: the password is entered again, or a code of the second factor
 * that the session was signed in with. Only the change that the employee was shown is confirmed.
 */
export const confirmEmailBySessionRpc =
  (
    deps: EmailConfirmationDeps,
  ): Handler<typeof EmailConfirmationService.method.confirmEmailBySession, ServicePrincipal> =>
  async ({ session, employeeId, password, code, emailChange }) => {
    const verified = await deps.verifySession(session);
    if (verified?.stage !== 'signed_in') return { outcome: Outcome.SIGNED_OUT };
    const { account: own } = verified;
    const isOwn = employeeId === '' || employeeId === own.employeeId;
    const account = isOwn ? own : await deps.accounts.byEmployee(employeeId);
    if (!account?.unconfirmedEmail || !mayConfirmEmail(own, account)) return { outcome: Outcome.NOTHING };
    if (BigInt(account.unconfirmedEmail.change) !== emailChange) return { outcome: Outcome.NOTHING };
    if (password === '' && own.twoFactor && !replacesPassword(own, verified.session))
      return { outcome: Outcome.PASSWORD_REQUIRED };
    const problem = await authenticateAgain(deps, own, password, code);
    if (problem !== undefined) return { outcome: problem };
    return { outcome: (await confirmEmail(deps, account)) ? Outcome.CONFIRMED : Outcome.NOTHING };
  };

async function authenticateAgain(
  deps: EmailConfirmationDeps,
  own: Account,
  password: string,
  code: string,
): Promise<Outcome | undefined> {
  const count = password === '' ? countCodeAttempt : countPasswordAttempt;
  const result = await count(deps.throttles, own.employeeId);
  if (!result.allowed) return Outcome.THROTTLED;
  const isRight =
    password === ''
      ? await spendCode(deps, own, code)
      : own.passwordHash !== null && (await verifyPassword(own.passwordHash, password));
  if (!isRight) return Outcome.WRONG;
  await result.succeeded();
  return undefined;
}
