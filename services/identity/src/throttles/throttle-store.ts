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
export type Throttles = Awaited<ReturnType<typeof openThrottles>>;

export async function openThrottles(db: Db, clock: Clock) {
  const limits = await openRollingLimits({ db, collection: 'throttles', clock });
  // Addresses are stored as digests only.
  const keyOf = (what: readonly string[]) => digest(JSON.stringify(what));
  return {
    /** Counts an attempt if the limit allows it. */
    async consume(what: readonly string[], { max, windowSecs }: Limit): Promise<ThrottleResult> {
      const counted = await limits.take(keyOf(what), { max, windowMs: windowSecs * 1000 });
      if (counted.taken) return { allowed: true, counted };
      return { allowed: false, retryAfterSecs: Math.max(1, Math.ceil(counted.retryAfterMs / 1000)) };
    },
    /** Removes a legitimate attempt from the count. */
    async withdraw(result: ThrottleResult): Promise<void> {
      if (result.allowed) await limits.withdraw(result.counted);
    },
    /** Removes all attempts. */
    clear: (what: readonly string[]) => limits.clear(keyOf(what)),
    startExpiry: (options: { everyMs: number; backgroundWork: BackgroundWork; log: Logger }) =>
      startExpirySweep({ ...limits, ...options }),
  };
}
