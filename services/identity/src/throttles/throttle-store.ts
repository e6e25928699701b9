import type { BackgroundWork, Clock } from '@parley/clock';
import { digest } from '@parley/secrets';
import { type LimitOutcome, openRollingLimits, startExpirySweep } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** At most `max` within any `windowSecs`. */
export interface Limit {
  readonly max: number;
  readonly windowSecs: number;
}

export type Admission =
  | { readonly admitted: true; readonly counted: LimitOutcome }
  | { readonly admitted: false; readonly retryAfterSecs: number };

/** Rolling limits of attempts, exact under any concurrency. */
export interface Throttles {
  /** Counts an attempt, if there is room for one. */
  admit(what: readonly string[], limit: Limit): Promise<Admission>;
  /** An attempt that was rightful after all does not count. */
  withdraw(admission: Admission): Promise<void>;
  /** Forgets all attempts. */
  clear(what: readonly string[]): Promise<void>;
  startExpiry(options: { everyMs: number; backgroundWork: BackgroundWork; log: Logger }): { stop(): Promise<void> };
}

export async function openThrottles(db: Db, clock: Clock): Promise<Throttles> {
  const limits = await openRollingLimits({ db, collection: 'throttles', clock });
  // Addresses of people and machines are not kept, only what recognises them.
  const keyOf = (what: readonly string[]) => digest(JSON.stringify(what));
  return {
    async admit(what, { max, windowSecs }) {
      const counted = await limits.take(keyOf(what), { max, windowMs: windowSecs * 1000 });
      if (counted.taken) return { admitted: true, counted };
      return { admitted: false, retryAfterSecs: Math.max(1, Math.ceil(counted.retryAfterMs / 1000)) };
    },
    async withdraw(admission) {
      if (admission.admitted) await limits.withdraw(admission.counted);
    },
    clear: (what) => limits.clear(keyOf(what)),
    startExpiry: (options) => startExpirySweep({ ...limits, ...options }),
  };
}
