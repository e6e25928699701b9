import { type Decision, decided, notFound, refused } from '@parley/errors';

/** A credential of one softphone. Its password is not kept; what the digest needs of it is kept encrypted. */
export interface SoftphoneSession {
  readonly id: string;
  /** H(A1), encrypted: it is equivalent to the password. */
  readonly a1Encrypted: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
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
  session: Pick<SoftphoneSession, 'id' | 'a1Encrypted'>,
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

/** A session from before a clock was moved back lasts no longer than one that starts now. */
export function liveSessions({ sessions }: EmployeeSoftphoneSessions, now: Date): readonly SoftphoneSession[] {
  return sessions.filter(
    ({ expiresAt }) => expiresAt > now && expiresAt.getTime() <= now.getTime() + SESSION_LIFETIME_MS,
  );
}
