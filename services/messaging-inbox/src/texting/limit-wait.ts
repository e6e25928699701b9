import type { LimitOutcome } from '@parley/aggregates';

/** The place becomes free at an instant of another replica's clock. */
const WAIT_MIN_MS = 1000;

/** How long there is no place within the limit; 0 when it was taken. */
export function limitWaitMs(outcome: LimitOutcome): number {
  return outcome.taken ? 0 : Math.max(outcome.retryAfterMs, WAIT_MIN_MS);
}
