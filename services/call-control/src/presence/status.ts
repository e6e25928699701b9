/** Live presence, highest precedence first; `unknown` when it cannot be said. */
export type Status = 'on_call' | 'do_not_disturb' | 'ringing' | 'available' | 'logged_out' | 'unknown';

/** Everything that is known about an employee at one moment. */
export interface Signals {
  /** A conversation is under way. */
  readonly onCall: boolean;
  readonly doNotDisturb: boolean;
  /** A call is being offered. */
  readonly ringing: boolean;
  /** A softphone or a mobile app can be rung. */
  readonly reachable: boolean;
  /** Has yet to sign in for the first time. */
  readonly invitationPending: boolean;
}

/** The one place where the precedence is decided. Without signals nothing can be said. */
export function statusOf(signals: Signals | undefined): Status {
  if (!signals) return 'unknown';
  if (signals.onCall) return 'on_call';
  if (signals.doNotDisturb) return 'do_not_disturb';
  if (signals.ringing) return 'ringing';
  return signals.reachable && !signals.invitationPending ? 'available' : 'logged_out';
}
