import type { LimitOutcome } from '@parley/mongo';

/** The place becomes free at an instant of another replica's clock. */
const WAIT_MIN_MS = 1000;

/** The wait until the limit allows another; 0 when it was counted. */
export function limitWaitMs(outcome: LimitOutcome): number {
  return outcome.taken ? 0 : Math.max(outcome.retryAfterMs, WAIT_MIN_MS);
}
