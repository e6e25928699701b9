/** Live presence, highest precedence first; `unknown` when it cannot be said. */
export type EmployeeStatus = 'on_call' | 'do_not_disturb' | 'ringing' | 'available' | 'logged_out' | 'unknown';

/**
 * What call-control says of an employee. It owns the precedence and this service owns do-not-disturb, so it gives both
 * answers and the one that holds is taken here, in the same moment as do-not-disturb changes.
 */
export interface Presence {
  readonly status: EmployeeStatus;
  readonly statusInDoNotDisturb: EmployeeStatus;
  /** Grows with every change: a late or repeated message never replaces a newer one. */
  readonly version: number;
}

/** Of somebody call-control has not heard of. */
export const NEVER_SEEN: Presence = { status: 'logged_out', statusInDoNotDisturb: 'do_not_disturb', version: 0 };

/** While call-control cannot be asked. */
export const CANNOT_SAY: Presence = { status: 'unknown', statusInDoNotDisturb: 'unknown', version: 0 };

/** What is shown, by what was last heard or by what was asked just now. */
export function statusOf(
  employee: { readonly doNotDisturb: object | null; readonly presence: Presence },
  presence: Presence = employee.presence,
): EmployeeStatus {
  return employee.doNotDisturb ? presence.statusInDoNotDisturb : presence.status;
}

/** The newer of what is known and what is heard. */
export function newerPresence(known: Presence, heard: Presence): Presence {
  return heard.version > known.version ? heard : known;
}
