import { type Decision, decided, notFound, refused } from '@parley/errors';
import type { CredentialRevoked } from '../revocations/credential-proto.ts';
import { planNotification, type WithNotifications } from '../notifications/notification.ts';

/** A second factor: an authenticator app (RFC 6238), and recovery codes for a lost phone. */
export interface TwoFactor {
  /** The app's secret, encrypted. */
  readonly secret: string;
  /** The time step of the last code that was accepted: a code works once (RFC 6238 section 5.2). */
  readonly lastStep: number | null;
  readonly recoveryDigests: readonly string[];
}

/** The enrolment that one page of one session shows: a page loaded later has another secret. */
export interface TwoFactorDraft {
  /** The app's secret, encrypted. */
  readonly secret: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** An employee's account: the identity and the authentication factors. */
export interface Account extends WithNotifications {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  readonly name: string;
  readonly email: string;
  /** The key for sign-ins; null once the employee is deleted. */
  readonly emailKey: string | null;
  /** argon2id in PHC format; null until a password is set. */
  readonly passwordHash: string | null;
  /** Grows with every new password; sign-in sessions of an older one are over. */
  readonly passwordVersion: number;
  readonly twoFactor: TwoFactor | null;
  /** A second factor that has yet to be confirmed. */
  readonly twoFactorDraft: TwoFactorDraft | null;
  /** Null when there is none, it was used, or the employee has signed in without it. */
  readonly invitation: Invitation | null;
  /** Absent or null until the employee has signed in; no invitation is sent after that. */
  readonly firstSignInAt?: Date | null;
  /** The open password reset; absent or null when there is none, or it was used. */
  readonly passwordReset?: PasswordReset | null;
  /** A deleted employee's account stays as a tombstone, so that a late request cannot recreate it. */
  readonly deletedAt: Date | null;
}

export interface Invitation {
  /** One for each e-mail that was, or may have been, sent. */
  readonly digests: readonly string[];
  readonly expiresAt: Date;
}

/** One link at a time: a newer one takes the place of the older. */
export interface PasswordReset {
  readonly digest: string;
  readonly expiresAt: Date;
}

export type AccountEvent = CredentialRevoked;

/** An employee's record from directory. */
export interface AccountHolder {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly email: string;
}

/** An e-mail may have to be sent again; more than these are not out at once. */
const INVITATION_DIGESTS_MAX = 10;

/** An account has its own id, derived from the employee's: two aggregates never share one. */
export function accountIdOf(employeeId: string): string {
  return `acc_${employeeId.replace(/^emp_/, '')}`;
}

/** Upper and lower case are the same person. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export function openAccount(holder: AccountHolder): Decision<Account, AccountEvent> {
  return decided<Account, AccountEvent>({
    id: accountIdOf(holder.id),
    companyId: holder.companyId,
    employeeId: holder.id,
    name: holder.name,
    email: holder.email,
    emailKey: emailKeyOf(holder.email),
    passwordHash: null,
    passwordVersion: 0,
    twoFactor: null,
    twoFactorDraft: null,
    invitation: null,
    firstSignInAt: null,
    passwordReset: null,
    notifications: [],
    due: null,
    deletedAt: null,
  });
}

/**
 * Applies directory's current record of the employee. Links that were sent to another address become invalid. A link
 * for a new password can be sent to the new address, so the old address is notified of the change.
 */
export function describeAccount(current: Account, holder: AccountHolder, now: Date): Decision<Account, AccountEvent> {
  if (current.deletedAt) return decided(current);
  const { name, email } = holder;
  const links = email === current.email ? {} : { invitation: null, passwordReset: null };
  const next = { ...current, name, email, emailKey: emailKeyOf(email), ...links };
  // An employee who is about to be ended is described without an address.
  const hasMoved = email !== '' && next.emailKey !== current.emailKey && current.passwordHash !== null;
  return decided(hasMoved ? planNotification(next, { about: 'address', to: current.email }, now) : next);
}

/**
 * A new password ends every sign-in made with the old one, the link that could have replaced it, and an unconfirmed
 * second factor: an attacker who had the old password may know its secret.
 */
export function setPassword(current: Account, passwordHash: string): Decision<Account, AccountEvent> {
  if (current.deletedAt) return refused(notFound);
  const passwordVersion = current.passwordVersion + 1;
  const next = { ...current, passwordHash, passwordVersion, passwordReset: null, twoFactorDraft: null };
  return decided(next, [everythingRevoked(current)]);
}

/**
 * Notes an invitation that is about to be sent to an address; refused if that is not the employee's any more, or the
 * employee has signed in. The same invitation, sent again, has the same end; one with another end takes the place of
 * the older.
 */
export function invite(
  current: Account,
  email: string,
  digest: string,
  expiresAt: Date,
): Decision<Account, AccountEvent> {
  if (current.deletedAt || current.firstSignInAt || current.email !== email) return refused(notFound);
  const isSame = current.invitation?.expiresAt.getTime() === expiresAt.getTime();
  const digests = [...(isSame ? current.invitation.digests : []), digest].slice(-INVITATION_DIGESTS_MAX);
  return decided({ ...current, invitation: { digests, expiresAt } });
}

export function holdsInvitation({ invitation }: Account, digest: string, now: Date): boolean {
  return invitation !== null && invitation.digests.includes(digest) && invitation.expiresAt > now;
}

/** The first password, by the link of the e-mail; whichever of several e-mails is used, all are used up. */
export function acceptInvitation(
  current: Account,
  digest: string,
  passwordHash: string,
  now: Date,
): Decision<Account, AccountEvent> {
  if (!holdsInvitation(current, digest, now)) return refused(notFound);
  return setPassword({ ...current, invitation: null }, passwordHash);
}

/** An employee who has signed in needs no invitation: its links become invalid. */
export function recordSignIn(current: Account, now: Date): Decision<Account, AccountEvent> {
  return decided({ ...current, invitation: null, firstSignInAt: current.firstSignInAt ?? now });
}

/** Empties the account of a deleted employee. */
export function closeAccount(current: Account, now: Date): Decision<Account, AccountEvent> {
  if (current.deletedAt) return decided(current);
  const emptied = { name: '', email: '', emailKey: null, passwordHash: null, twoFactor: null, twoFactorDraft: null };
  const unsent = { invitation: null, passwordReset: null, notifications: [], due: null };
  return decided({ ...current, ...emptied, ...unsent, deletedAt: now }, [everythingRevoked(current)]);
}

function everythingRevoked({ employeeId }: Account): AccountEvent {
  return { type: 'identity.credential.revoked', credentialId: '', employeeId };
}
