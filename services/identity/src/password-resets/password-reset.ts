import { type Decision, decided, notFound, refused } from '@parley/errors';
import { dueIn } from '@parley/store';
import { type Account, type AccountEvent, type PasswordNote, setPassword } from '../accounts/account.ts';
import { mailRetryMs } from '../mail/mail-retries.ts';

const LINK_LIFETIME_MS = 3600 * 1000;
/** Nobody is helped by hearing later than this that the password was changed. */
const NOTE_LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** What helps whoever cannot sign in: whoever never had a password is invited anew, and nobody is nobody. */
export function wayBackFor(account: Account | undefined): 'password_reset' | 'invitation' | 'none' {
  if (!account || account.deletedAt) return 'none';
  return account.passwordHash === null ? 'invitation' : 'password_reset';
}

/** Notes a link that is about to be sent to an address; it takes the place of any older one. */
export function beginReset(
  current: Account,
  email: string,
  digest: string,
  now: Date,
): Decision<Account, AccountEvent> {
  if (wayBackFor(current) !== 'password_reset' || current.email !== email) return refused(notFound);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  return decided({ ...current, passwordReset: { digest, expiresAt } });
}

export function holdsReset({ passwordReset }: Account, digest: string, now: Date): boolean {
  return passwordReset?.digest === digest && passwordReset.expiresAt > now;
}

/**
 * A new password by the link of the e-mail. The note about it is planned in the same write. An invitation that is still
 * about is used up as well: it would set yet another password.
 */
export function resetPassword(
  current: Account,
  digest: string,
  passwordHash: string,
  now: Date,
): Decision<Account, AccountEvent> {
  if (!holdsReset(current, digest, now)) return refused(notFound);
  const note = { passwordNote: { changedAt: now, tries: 0 }, due: dueIn(now, 0), dueLease: null };
  return setPassword({ ...current, ...note, invitation: null }, passwordHash);
}

/** A note that was sent, or that nobody needs any more. A newer one meanwhile has its own turn. */
export function endNote(current: Account, note: PasswordNote): Decision<Account, AccountEvent> {
  if (!isSame(current, note)) return decided(current);
  return decided({ ...current, passwordNote: null, due: null, dueLease: null });
}

/** A note that could not be sent is tried again for as long as it is of use. */
export function postponeNote(current: Account, note: PasswordNote, now: Date): Decision<Account, AccountEvent> {
  if (!isSame(current, note)) return decided(current);
  if (now.getTime() - note.changedAt.getTime() >= NOTE_LIFETIME_MS) return endNote(current, note);
  const passwordNote = { ...note, tries: note.tries + 1 };
  return decided({ ...current, passwordNote, due: dueIn(now, mailRetryMs(note.tries)), dueLease: null });
}

function isSame({ passwordNote }: Account, note: PasswordNote): boolean {
  return passwordNote?.changedAt.getTime() === note.changedAt.getTime();
}
