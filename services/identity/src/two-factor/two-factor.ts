import { randomBytes } from 'node:crypto';
import { type Decision, decided, notFound, refusal, refused } from '@parley/errors';
import { digest } from '@parley/secrets';
import { Secret, TOTP } from 'otpauth';
import { auditOfAccount } from '../audit/credential-audit.ts';
import type { Account, AccountEvent, TwoFactorDraft } from '../accounts/account.ts';
import type { Session } from '../sessions/session.ts';

const PERIOD_SECS = 30;
/** Clocks of phones are off by a little: one step to either side is accepted. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstvwxyz23456789';
const RECOVERY_LENGTH = 20;

const alreadyOn = refusal('conflict', 'the second factor is on already');
export const wrongCode = refusal('validation_failed', 'the code is wrong');

export function newTwoFactorSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

export function otpauthUri(secret: string, account: { email: string }): string {
  return totp(secret, account.email).toString();
}

/** The time step a code belongs to; undefined when it is no current code. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totp(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? undefined : currentStep(now) + delta;
}

/** Codes of a hundred bits, which a digest keeps as safely as a slow hash would. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters: string[] = [];
    while (letters.length < RECOVERY_LENGTH) {
      // Bytes past the last whole multiple of the alphabet would favour its beginning.
      for (const byte of randomBytes(RECOVERY_LENGTH))
        if (byte < 240 && letters.length < RECOVERY_LENGTH) letters.push(RECOVERY_ALPHABET[byte % 30] ?? '');
    }
    return letters.join('').replace(/.{5}(?=.)/g, '$&-');
  });
}

export function recoveryDigest(code: string): string {
  return digest(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}

/** Bounds the time an enrolment page may stay open. */
const DRAFT_LIFETIME_MS = 15 * 60 * 1000;

/** A new secret for every enrolment; one that another page shows is of no use any more. */
export function beginTwoFactor(
  current: Account,
  draft: { secret: string; sessionId: string },
  now: Date,
): Decision<Account, AccountEvent> {
  if (current.twoFactor) return refused(alreadyOn);
  const expiresAt = new Date(now.getTime() + DRAFT_LIFETIME_MS);
  return decided({ ...current, twoFactorDraft: { ...draft, expiresAt } });
}

/** The enrolment that this session has started, unless it has expired. */
export function draftOf(current: Account, sessionId: string, now: Date): TwoFactorDraft | undefined {
  const { twoFactor, twoFactorDraft: draft } = current;
  return !twoFactor && draft?.sessionId === sessionId && draft.expiresAt > now ? draft : undefined;
}

/** A draft becomes the second factor once a code from it was entered. That code may be used again to sign in. */
export function confirmTwoFactor(
  current: Account,
  draft: { encrypted: string; secret: string; sessionId: string },
  code: string,
  recoveryDigests: readonly string[],
  now: Date,
): Decision<Account, AccountEvent> {
  if (draftOf(current, draft.sessionId, now)?.secret !== draft.encrypted) return refused(wrongCode);
  if (stepOf(draft.secret, code, now) === undefined) return refused(wrongCode);
  const twoFactor = { secret: draft.encrypted, lastStep: null, recoveryDigests, enrolledAt: now };
  return decided({ ...current, twoFactor, twoFactorDraft: null }, [factorChanged(current, 'two_factor.enabled')]);
}

export function disableTwoFactor(current: Account): Decision<Account, AccountEvent> {
  if (!current.twoFactor) return decided(current);
  return decided({ ...current, twoFactor: null }, [factorChanged(current, 'two_factor.disabled')]);
}

/**
 * Removes a lost second factor, for the operator. Sessions opened with it end, like those of an old password; somebody without a
 * second factor keeps theirs, so that the same request again changes nothing.
 */
export function resetTwoFactor(current: Account): Decision<Account, AccountEvent> {
  if (current.deletedAt) return refused(notFound);
  if (!current.twoFactor) return decided(current);
  const { employeeId, passwordVersion } = current;
  const next = { ...current, twoFactor: null, twoFactorDraft: null, passwordVersion: passwordVersion + 1 };
  const audit = auditOfAccount('two_factor.reset', current);
  return decided(next, [
    { type: 'identity.credential.revoked', credentialId: '', employeeId, ended: 'sessions', audit },
  ]);
}

function factorChanged(
  { employeeId, name }: Account,
  type: 'two_factor.enabled' | 'two_factor.disabled',
): AccountEvent {
  return { type: 'identity.account.changed', employeeId, audit: auditOfAccount(type, { employeeId, name }) };
}

/**
 * Decides whether a code can replace the password in a session. Enrolling requires only a session, so a stolen session could enrol
 * an app of the thief: the code counts only in sessions that were signed in with this second factor, after the password.
 */
export function replacesPassword(
  { twoFactor }: Pick<Account, 'twoFactor'>,
  { enteredCode, createdAt }: Pick<Session, 'enteredCode' | 'createdAt'>,
): boolean {
  if (!twoFactor || !enteredCode) return false;
  return twoFactor.enrolledAt <= createdAt;
}

/** Uses up a code: a current one of the app, or one of the recovery codes. */
export function consumeCode(
  current: Account,
  decrypt: (encrypted: string) => string,
  code: string,
  now: Date,
): Decision<Account, AccountEvent> {
  const { twoFactor } = current;
  if (!twoFactor) return refused(wrongCode);
  const step = stepOf(decrypt(twoFactor.secret), code.replaceAll(/\s/g, ''), now);
  if (step !== undefined) {
    if (wasUsed(step, twoFactor.lastStep, now)) return refused(wrongCode);
    return decided({ ...current, twoFactor: { ...twoFactor, lastStep: step } });
  }
  const entered = recoveryDigest(code);
  if (!twoFactor.recoveryDigests.includes(entered)) return refused(wrongCode);
  const recoveryDigests = twoFactor.recoveryDigests.filter((one) => one !== entered);
  return decided({ ...current, twoFactor: { ...twoFactor, recoveryDigests } });
}

/** A step in the future was stored before the clock was moved back; it is ignored. */
function wasUsed(step: number, lastStep: number | null, now: Date): boolean {
  return lastStep !== null && lastStep <= currentStep(now) + WINDOW && step <= lastStep;
}

function currentStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / PERIOD_SECS);
}

function totp(secret: string, label = 'Parley'): TOTP {
  return new TOTP({ issuer: 'Parley', label, secret: Secret.fromBase32(secret), period: PERIOD_SECS, digits: 6 });
}
