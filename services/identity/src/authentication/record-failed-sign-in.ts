import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { type Account, type FailureReason, recordFailedSignIn } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';

/** Records that somebody failed to sign in as an employee. */
export type FailedSignInRecorder = (account: Account, reason: FailureReason) => void;

/**
 * Not awaited by the sign-in: the response to a wrong password must take as long as the one to an unknown address, for which there is
 * nothing to record.
 */
export function failedSignInRecorder(options: {
  accounts: Accounts;
  backgroundWork: BackgroundWork;
  log: Logger;
}): FailedSignInRecorder {
  const { accounts, backgroundWork, log } = options;
  return ({ id, companyId }, reason) =>
    void backgroundWork
      .during(() => accounts.of(companyId).changeIfExists(id, (current) => recordFailedSignIn(current, reason)))
      .catch((error: unknown) => log.error({ err: error }, 'a failed sign-in was not recorded'));
}
