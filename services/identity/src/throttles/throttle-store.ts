import type { BackgroundWork, Clock } from '@parley/clock';
import { digest } from '@parley/secrets';
import { type LimitOutcome, openRollingLimits, startExpirySweep } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** At most `max` events within any `windowSecs`. */
export interface Limit {
  readonly max: number;
  readonly windowSecs: number;
}

export type ThrottleResult =
  | { readonly allowed: true; readonly counted: LimitOutcome }
  | { readonly allowed: false; readonly retryAfterSecs: number };

/** Rolling limits of attempts, exact under any concurrency. */
export interface Throttles {
  /** Counts an attempt if the limit allows it. */
  consume(what: readonly string[], limit: Limit): Promise<ThrottleResult>;
  /** Removes a legitimate attempt from the count. */
  withdraw(result: ThrottleResult): Promise<void>;
  /** Removes all attempts. */
  clear(what: readonly string[]): Promise<void>;
  startExpiry(options: { everyMs: number; backgroundWork: BackgroundWork; log: Logger }): { stop(): Promise<void> };
}

export async function openThrottles(db: Db, clock: Clock): Promise<Throttles> {
  const limits = await openRollingLimits({ db, collection: 'throttles', clock });
  // Addresses are stored as digests only.
  const keyOf = (what: readonly string[]) => digest(JSON.stringify(what));
  return {
    async consume(what, { max, windowSecs }) {
      const counted = await limits.take(keyOf(what), { max, windowMs: windowSecs * 1000 });
      if (counted.taken) return { allowed: true, counted };
      return { allowed: false, retryAfterSecs: Math.max(1, Math.ceil(counted.retryAfterMs / 1000)) };
    },
    async withdraw(result) {
      if (result.allowed) await limits.withdraw(result.counted);
    },
    clear: (what) => limits.clear(keyOf(what)),
    startExpiry: (options) => startExpirySweep({ ...limits, ...options }),
  };
}
