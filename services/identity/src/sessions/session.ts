import type { Audited } from '@parley/actor';
import { type Decision, decided } from '@parley/errors';
import { auditOfCredential } from '../audit/credential-audit.ts';
import type { CredentialRevoked } from '../revocations/credential-proto.ts';

/** The step that the sign-in still requires. */
export type Stage = 'one_time_code' | 'enrolment' | 'signed_in';

/** A browser that has shown a password, and perhaps everything else that is needed. */
export interface Session {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  readonly digest: string;
  readonly stage: Stage;
  /** The sign-in included a one-time code. */
  readonly enteredCode: boolean;
  /** The account's at the sign-in: a new password ends the session, and so does a reset second factor. */
  readonly passwordVersion: number;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type SessionEvent =
  | ({
      readonly type: 'identity.employee.signed_in';
      readonly employeeId: string;
      readonly sessionId: string;
    } & Audited)
  | CredentialRevoked;

const DAY_MS = 24 * 3600 * 1000;
const LIFETIME_MS: Readonly<Record<Stage, number>> = {
  signed_in: 30 * DAY_MS,
  one_time_code: 10 * 60 * 1000,
  enrolment: 30 * 60 * 1000,
};
const USER_AGENT_LENGTH_MAX = 300;

export function openSession(
  session: Omit<Session, 'createdAt' | 'expiresAt'>,
  now: Date,
): Decision<Session, SessionEvent> {
  const opened: Session = {
    ...session,
    userAgent: session.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS[session.stage]),
  };
  const { employeeId } = session;
  const audit = auditOfCredential('session.created', session);
  const events: SessionEvent[] =
    session.stage === 'signed_in'
      ? [{ type: 'identity.employee.signed_in', employeeId, sessionId: session.id, audit }]
      : [];
  return decided(opened, events);
}

/** Why a session was ended, for the audit log; undefined where another entry says it. */
export type SessionEnd = 'signed_out' | 'deactivated' | undefined;

export function endSession(current: Session, reason: SessionEnd): Decision<null, SessionEvent> {
  const { id, employeeId, stage } = current;
  const ended = { type: 'identity.credential.revoked', credentialId: id, employeeId, ended: 'one' } as const;
  // The steps of a sign-in have sessions of their own, which gave access to nothing.
  const more = reason && { reason: { from: null, to: reason } };
  const audit = stage === 'signed_in' ? auditOfCredential('session.ended', current, more) : undefined;
  return decided<null, SessionEvent>(null, [{ ...ended, ...(audit && { audit }) }]);
}

/** A session is live until it expires, the employee's password or second factor changes, or the employee is deactivated. */
export function isLive(session: Session, account: { passwordVersion: number }, now: Date): boolean {
  return session.expiresAt > now && session.passwordVersion === account.passwordVersion;
}
