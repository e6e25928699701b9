import { Refused } from '@parley/errors';
import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import {
  EmailConfirmationOutcome as Outcome,
  EmailConfirmationService,
} from '@parley/proto/identity/v1/email_confirmations_pb';
import { type Handler, type RpcClient, type RpcServer, type ServicePrincipal, services } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { runAsEmployee } from '../audit/credential-audit.ts';
import type { Account } from '../accounts/account.ts';
import { emailOfLink, mayConfirmEmail } from '../accounts/email-confirmation.ts';
import { countCodeAttempt, countPasswordAttempt } from '../authentication/attempt-limits.ts';
import type { AuthenticationDeps } from '../authentication/authentication.ts';
import { verifyPassword } from '../passwords/password.ts';
import { verifyCode } from '../two-factor/verify-code.ts';
import { replacesPassword } from '../two-factor/two-factor.ts';

export interface EmailConfirmationDeps extends AuthenticationDeps {
  readonly directory: Pick<RpcClient<typeof EmployeeDirectoryService>, 'confirmEmail'>;
  /** There is an e-mail to send. */
  readonly wakeMailer: () => void;
}

/**
 * Confirms the new address at directory, which owns it, and applies the result here at once; after a crash in between the event
 * does. False when the address was changed again or the employee was deleted meanwhile.
 */
async function confirmEmail(
  { accounts, directory, wakeMailer }: EmailConfirmationDeps,
  { employeeId, unconfirmedEmail }: Account,
): Promise<boolean> {
  if (!unconfirmedEmail) return false;
  try {
    const { employee } = await directory.confirmEmail({ employeeId, emailChange: BigInt(unconfirmedEmail.change) });
    if (employee) await accounts.ensure(employee);
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'not_found') return false;
    throw error;
  }
  wakeMailer();
  return true;
}

const getEmailConfirmationRpc =
  ({
    accounts,
    clock,
  }: EmailConfirmationDeps): Handler<typeof EmailConfirmationService.method.getEmailConfirmation, ServicePrincipal> =>
  async ({ token }) => {
    const account = await accounts.byEmailConfirmation(digest(token));
    const unconfirmed = account && emailOfLink(account, digest(token), clock.now());
    return unconfirmed ? { valid: true, email: unconfirmed.email } : { valid: false };
  };

const confirmEmailByLinkRpc =
  (deps: EmailConfirmationDeps): Handler<typeof EmailConfirmationService.method.confirmEmailByLink, ServicePrincipal> =>
  async ({ token }) => {
    const account = await deps.accounts.byEmailConfirmation(digest(token));
    const isValid = account !== undefined && emailOfLink(account, digest(token), deps.clock.now()) !== undefined;
    if (!isValid) return { confirmed: false };
    return { confirmed: await runAsEmployee(account, undefined, () => confirmEmail(deps, account)) };
  };

/**
 * A browser that was left open, or a stolen session, is not enough: the password is entered again, or a code of the second factor
 * that the session was signed in with. Only the change that the employee was shown is confirmed.
 */
const confirmEmailBySessionRpc =
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
    const isConfirmed = await runAsEmployee(own, verified.session.id, () => confirmEmail(deps, account));
    return { outcome: isConfirmed ? Outcome.CONFIRMED : Outcome.NOTHING };
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
      ? await verifyCode(deps, own, code)
      : own.passwordHash !== null && (await verifyPassword(own.passwordHash, password));
  if (!isRight) return Outcome.WRONG;
  await result.succeeded();
  return undefined;
}

/** Every RPC of the contract and its handler. */
export function addEmailConfirmationService(server: RpcServer, deps: EmailConfirmationDeps): void {
  server.add(EmailConfirmationService, services('gateway'), {
    getEmailConfirmation: getEmailConfirmationRpc(deps),
    confirmEmailByLink: confirmEmailByLinkRpc(deps),
    confirmEmailBySession: confirmEmailBySessionRpc(deps),
  });
}
