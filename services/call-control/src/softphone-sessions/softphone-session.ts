import { type EndedCredentials, wasMadeWith } from '@parley/actor';
import { type Decision, decided, notFound, refused } from '@parley/errors';
import type { CredentialType } from '@parley/rpc';

/** A credential of one softphone. Its password is not kept; what the digest needs of it is kept encrypted. */
export interface SoftphoneSession {
  readonly id: string;
  /** H(A1), encrypted: it is equivalent to the password. */
  readonly a1Encrypted: string;
  /** The credential that created the session, and with which it ends. */
  readonly madeWith: MadeWith;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Set when the credential it was made with has ended; kept so that its registrations are ended, also after a crash. */
  readonly endedAt?: Date;
}

/** A credential of the employee. */
export interface MadeWith {
  readonly credentialType: CredentialType;
  readonly credentialId: string;
}

/** The softphone sessions of one employee; the id is the employee's. */
export interface EmployeeSoftphoneSessions {
  readonly id: string;
  readonly companyId: string;
  /** Oldest first. */
  readonly sessions: readonly SoftphoneSession[];
}

export const SESSION_LIFETIME_MS = 3_600_000;

/** Every reload of a browser creates one. The oldest is revoked for a new one, so that no employee is locked out. */
const LIVE_SESSIONS_MAX = 50;

export function addSession(
  current: EmployeeSoftphoneSessions,
  session: Pick<SoftphoneSession, 'id' | 'a1Encrypted' | 'madeWith'>,
  now: Date,
): Decision<EmployeeSoftphoneSessions> {
  const added = { ...session, createdAt: now, expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS) };
  const kept = liveSessions(current, now).slice(1 - LIVE_SESSIONS_MAX);
  return decided({ ...current, sessions: [...kept, added] });
}

export function revokeSession(
  current: EmployeeSoftphoneSessions,
  sessionId: string,
  now: Date,
): Decision<EmployeeSoftphoneSessions> {
  const live = liveSessions(current, now);
  if (!live.some(({ id }) => id === sessionId)) return refused(notFound);
  return decided({ ...current, sessions: live.filter(({ id }) => id !== sessionId) });
}

/**
 * Ends the sessions made with credentials that have ended. The outcome names them, also those that were ended before: ending
 * their registrations may have been interrupted.
 */
export function endSessionsOf(
  current: EmployeeSoftphoneSessions,
  ended: EndedCredentials,
  now: Date,
): Decision<EmployeeSoftphoneSessions> & { readonly outcome: readonly string[] } {
  const matches = (session: SoftphoneSession) => wasMadeWith(session, ended);
  const outcome = current.sessions.filter(matches).map(({ id }) => id);
  if (!current.sessions.some((session) => matches(session) && !session.endedAt))
    return { ...decided(current), outcome };
  const sessions = current.sessions.map((session) =>
    matches(session) && !session.endedAt ? { ...session, endedAt: now } : session,
  );
  return { ...decided({ ...current, sessions }), outcome };
}

/** A session from before a clock was moved back lasts no longer than one that starts now. */
export function liveSessions({ sessions }: EmployeeSoftphoneSessions, now: Date): readonly SoftphoneSession[] {
  return sessions.filter(
    ({ expiresAt, endedAt }) =>
      endedAt === undefined && expiresAt > now && expiresAt.getTime() <= now.getTime() + SESSION_LIFETIME_MS,
  );
}
