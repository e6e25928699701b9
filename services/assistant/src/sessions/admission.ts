/** What the operator allows a company. */
export interface SessionLimits {
  readonly enabled: boolean;
  readonly simultaneousSessions: number;
  /** Null without a limit. */
  readonly monthlyMinutes: number | null;
}

/** Why a call goes to the fallback without a session. */
export type RefusalReason =
  | 'inactive'
  | 'disabled'
  | 'capacity'
  | 'limit_minutes'
  | 'limit_caller'
  | 'speech_unavailable'
  | 'failed';

/** Sessions of one caller within a day. */
const SESSIONS_PER_CALLER = 20;

/** What is known when a call comes to an assistant. */
interface AdmissionFacts {
  readonly isActive: boolean;
  readonly limits: SessionLimits;
  /** Used in this month so far. */
  readonly seconds: number;
  /** Sessions of this caller within the last day; 0 for an anonymous one. */
  readonly sessionsOfCaller: number;
}

/** Undefined for a call that may have a session, as far as it does not depend on free places. */
export function refuseSession({
  isActive,
  limits,
  seconds,
  sessionsOfCaller,
}: AdmissionFacts): RefusalReason | undefined {
  if (!limits.enabled) return 'disabled';
  if (!isActive) return 'inactive';
  if (limits.monthlyMinutes !== null && seconds >= limits.monthlyMinutes * 60) return 'limit_minutes';
  if (sessionsOfCaller >= SESSIONS_PER_CALLER) return 'limit_caller';
  return undefined;
}
