import type { Status } from './status.ts';

/** An employee's status changed, or do-not-disturb was enabled or disabled. */
export interface StatusChange {
  readonly companyId: string;
  readonly employeeId: string;
  /** `logged_out` for an employee who was deleted. */
  readonly status: Status;
  /** Calls that must stop ringing at the employee, because do-not-disturb was enabled or the employee deleted. */
  readonly withdrawnCallIds: readonly string[];
}

/**
 * Listeners to changes of status, whichever replica made them. Each change is delivered on one replica, in the employee's
 * order, and again after a crash or an error: listeners are idempotent.
 */
export interface StatusListeners {
  add(listener: (change: StatusChange) => Promise<void>): void;
  notify(change: StatusChange): Promise<void>;
}

export function statusListeners(): StatusListeners {
  const listeners: ((change: StatusChange) => Promise<void>)[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    async notify(change) {
      for (const listener of listeners) await listener(change);
    },
  };
}
