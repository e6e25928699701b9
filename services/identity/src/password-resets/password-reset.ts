import { type Decision, decided, notFound, refused } from '@parley/errors';
import { type Account, type AccountEvent, setPassword, isOpen } from '../accounts/account.ts';
import { planNotification } from '../notifications/notification.ts';

const LINK_LIFETIME_MS = 3600 * 1000;

/** An employee who never had a password is invited again. */
export function recoveryMethodFor(account: Account | undefined): 'password_reset' | 'invitation' | 'none' {
  if (!account || !isOpen(account)) return 'none';
  return account.passwordHash === null ? 'invitation' : 'password_reset';
}

/** Records a link that is about to be sent to an address; it replaces any older one. */
export function beginReset(
  current: Account,
  email: string,
  digest: string,
  now: Date,
): Decision<Account, AccountEvent> {
  if (recoveryMethodFor(current) !== 'password_reset' || current.email !== email) return refused(notFound);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  return decided({ ...current, passwordReset: { digest, expiresAt } });
}

export function hasPasswordReset({ passwordReset }: Account, digest: string, now: Date): boolean {
  return passwordReset?.digest === digest && passwordReset.expiresAt > now;
}

/**
 * A new password by the link of the e-mail. The notification about it is planned in the same write. An open invitation is
 * invalidated as well, because it could set another password.
 */
export function resetPassword(
  current: Account,
  digest: string,
  passwordHash: string,
  now: Date,
): Decision<Account, AccountEvent> {
  if (!hasPasswordReset(current, digest, now)) return refused(notFound);
  const noted = planNotification(current, { about: 'password', to: current.email }, now);
  return setPassword({ ...noted, invitation: null }, passwordHash);
}
