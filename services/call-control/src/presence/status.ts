/** Live presence, highest precedence first. */
export type Status = 'on_call' | 'do_not_disturb' | 'ringing' | 'available' | 'logged_out';

/** Everything that is known about an employee at one moment. */
export interface Signals {
  /** In a conversation. */
  readonly onCall: boolean;
  readonly doNotDisturb: boolean;
  /** A call is being offered. */
  readonly ringing: boolean;
  /** A softphone, a mobile app or a phone outside the company can be rung. */
  readonly reachable: boolean;
  /** Has not signed in yet. */
  readonly invitationPending: boolean;
}

/** The only place that decides the precedence. */
export function statusOf(signals: Signals): Status {
  if (signals.onCall) return 'on_call';
  if (signals.doNotDisturb) return 'do_not_disturb';
  if (signals.ringing) return 'ringing';
  return signals.reachable && !signals.invitationPending ? 'available' : 'logged_out';
}

/** An employee's status changed, or do-not-disturb was enabled or disabled. */
export interface StatusChange {
  readonly companyId: string;
  readonly employeeId: string;
  /** `logged_out` for an employee who was deleted. */
  readonly status: Status;
  /** Calls that must stop ringing at the employee, because do-not-disturb was enabled or the employee deleted. */
  readonly withdrawnCallIds: readonly string[];
}
