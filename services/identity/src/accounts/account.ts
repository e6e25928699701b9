import type { Audited, Role } from '@parley/actor';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { type Decision, decided, notFound, refused } from '@parley/errors';
import type { Role as ProtoRole } from '@parley/proto/directory/v1/employees_pb';
import { auditOfAccount } from '../audit/credential-audit.ts';
import type { CredentialRevoked } from '../revocations/credential-proto.ts';
import type { WithNotifications } from '../notifications/notification.ts';

/** A second factor: an authenticator app (RFC 6238), and recovery codes for a lost phone. */
export interface TwoFactor {
  /** The app's secret, encrypted. */
  readonly secret: string;
  /** The time step of the last code that was accepted: a code works once (RFC 6238 section 5.2). */
  readonly lastStep: number | null;
  readonly recoveryDigests: readonly string[];
  readonly enrolledAt: Date;
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
  /** Absent until directory's record has arrived. */
  readonly role?: Role;
  /** The address to sign in with: the confirmed one, also while a new one waits. */
  readonly email: string;
  /** Grows with every other `email`: what was planned or sent for an earlier one is recognised. */
  readonly emailVersion: number;
  /** The new address that has yet to be confirmed; null when there is none. */
  readonly unconfirmedEmail: UnconfirmedEmail | null;
  /** The revision of directory's record, so that an older one that arrives late has no effect. */
  readonly directoryRevision: number;
  /** The key for sign-ins; null once the employee is deleted. */
  readonly emailKey: string | null;
  /** argon2id in PHC format; null until a password is set. */
  readonly passwordHash: string | null;
  /** Grows with every new password, reset second factor and deactivation; sign-in sessions of an older one are over. */
  readonly passwordVersion: number;
  readonly twoFactor: TwoFactor | null;
  /** A second factor that has yet to be confirmed. */
  readonly twoFactorDraft: TwoFactorDraft | null;
  /** Null when there is none, it was used, or the employee has signed in without it. */
  readonly invitation: Invitation | null;
  /** Null until the employee has signed in; no invitation is sent after that. */
  readonly firstSignInAt: Date | null;
  /** The open password reset; null when there is none, or it was used. */
  readonly passwordReset: PasswordReset | null;
  /** The newest e-mails about threads that were sent, by their ids: a repetition sends nothing. */
  readonly threadMails: readonly string[];
  /** A deleted employee's account stays as a tombstone, so that a late request cannot recreate it. */
  readonly deletedAt: Date | null;
  /** Absent while the employee is active. Until then every credential is refused; see `account-activity.ts`. */
  readonly deactivatedAt?: Date;
  /** Keys and grants made earlier have ended: they were suspended for too long. Absent when there are none. */
  readonly credentialsSince?: Date;
}

export interface Invitation {
  /** One for each e-mail that was, or may have been, sent. */
  readonly digests: readonly string[];
  readonly expiresAt: Date;
}

/** One link at a time: a newer one replaces the older. */
export interface PasswordReset {
  readonly digest: string;
  readonly expiresAt: Date;
}

/** A new address, and the links to confirm it that were, or may have been, sent to the old one. */
export interface UnconfirmedEmail {
  readonly email: string;
  /** Directory's number of the change. */
  readonly change: number;
  readonly digests: readonly string[];
  /** When the links expire; null until the first one is sent. */
  readonly expiresAt: Date | null;
}

/** Emitted when a sign-in method has changed or a sign-in has failed. */
export interface AccountChanged extends Audited {
  readonly type: 'identity.account.changed';
  readonly employeeId: string;
}

export type AccountEvent = CredentialRevoked | AccountChanged;

/** Removes keys and grants that were suspended for too long. */
export interface AccountCommand {
  readonly kind: 'remove_credentials';
  /** Those made earlier. */
  readonly before: Date;
}

/** The end of a suspension. */
export type AccountTimer = 'suspension_end';

export type AccountDecision = Decision<Account, AccountEvent, AccountCommand, AccountTimer>;

/** An employee's record from directory; only its first fields when directory has it no longer. */
export interface AccountHolder {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly email: string;
  readonly role?: ProtoRole;
  readonly signInEmail?: string;
  readonly emailConfirmationPending?: boolean;
  readonly emailChange?: bigint;
  readonly revision?: bigint;
  readonly deactivatedAt?: Timestamp | undefined;
  /** When the record last changed. */
  readonly updatedAt?: Timestamp | undefined;
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

/** Whether the account's employee works for the company and is active: no credential of any other is valid. */
export function isOpen({ deletedAt, deactivatedAt }: Pick<Account, 'deletedAt' | 'deactivatedAt'>): boolean {
  return deletedAt === null && deactivatedAt === undefined;
}

/**
 * A new password ends every sign-in made with the old one, the link that could have replaced it, and an unconfirmed
 * second factor: an attacker who had the old password may know its secret.
 */
export function setPassword(current: Account, passwordHash: string): Decision<Account, AccountEvent> {
  if (!isOpen(current)) return refused(notFound);
  const passwordVersion = current.passwordVersion + 1;
  const next = { ...current, passwordHash, passwordVersion, passwordReset: null, twoFactorDraft: null };
  const audit = auditOfAccount('password.changed', current);
  return decided(next, [{ ...revokedAll(current, 'sessions'), audit }]);
}

/**
 * Records an invitation that is about to be sent; refused if it was planned for an address that is not the employee's any more, or the
 * employee has signed in. The same invitation, sent again, has the same expiry; one with another expiry replaces the older.
 */
export function invite(
  current: Account,
  { emailVersion, expiresAt }: { readonly emailVersion: number; readonly expiresAt: Date },
  digest: string,
): Decision<Account, AccountEvent> {
  const isOutdated = emailVersion !== current.emailVersion;
  if (!isOpen(current) || current.firstSignInAt || isOutdated) return refused(notFound);
  const isSame = current.invitation?.expiresAt.getTime() === expiresAt.getTime();
  const digests = [...(isSame ? current.invitation.digests : []), digest].slice(-INVITATION_DIGESTS_MAX);
  return decided({ ...current, invitation: { digests, expiresAt } });
}

export function hasInvitation({ invitation }: Account, digest: string, now: Date): boolean {
  return invitation !== null && invitation.digests.includes(digest) && invitation.expiresAt > now;
}

/** The first password, by the link of the e-mail; whichever of several e-mails is used, all are used up. */
export function acceptInvitation(
  current: Account,
  digest: string,
  passwordHash: string,
  now: Date,
): Decision<Account, AccountEvent> {
  if (!hasInvitation(current, digest, now)) return refused(notFound);
  return setPassword({ ...current, invitation: null }, passwordHash);
}

/** An employee who has signed in needs no invitation: its links become invalid. */
export function recordSignIn(current: Account, now: Date): Decision<Account, AccountEvent> {
  return decided({ ...current, invitation: null, firstSignInAt: current.firstSignInAt ?? now });
}

/** Empties the account of a deleted employee. */
export function closeAccount(current: Account, now: Date): AccountDecision {
  if (current.deletedAt) return decided(current);
  const emptied = { name: '', email: '', emailKey: null, passwordHash: null, twoFactor: null, twoFactorDraft: null };
  const unsent = { invitation: null, passwordReset: null, unconfirmedEmail: null, notifications: [], due: null };
  const { deactivatedAt: _deactivatedAt, ...kept } = current;
  return decided<Account, AccountEvent, AccountCommand, AccountTimer>(
    { ...kept, ...emptied, ...unsent, deletedAt: now },
    [revokedAll(current, 'all')],
    { timers: { suspension_end: null } },
  );
}

/** No credential of the employee is valid for now: what was made with them ends, and the credentials themselves stay. */
export function verifyAgain(current: Account): Decision<Account, AccountEvent> {
  return decided(current, current.deletedAt ? [] : [revokedAll(current, 'all')]);
}

/** What was wrong; `employee_inactive` although the password was right. */
export type FailureReason = 'password' | 'one_time_code' | 'employee_inactive';

/** Somebody who failed to sign in as the employee; what they entered is not recorded. */
export function recordFailedSignIn(current: Account, reason: FailureReason): Decision<Account, AccountEvent> {
  if (current.deletedAt) return decided(current);
  const audit = auditOfAccount('sign_in.failed', current, { reason: { from: null, to: reason } });
  return decided(current, [{ type: 'identity.account.changed', employeeId: current.employeeId, audit }]);
}

export function revokedAll({ employeeId }: Account, ended: CredentialRevoked['ended']): CredentialRevoked {
  return { type: 'identity.credential.revoked', credentialId: '', employeeId, ended };
}
