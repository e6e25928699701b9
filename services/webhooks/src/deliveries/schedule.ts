import { type Due, dueIn } from '@parley/errors';

/** Six attempts over about seven and a half hours. */
export const ATTEMPTS_MAX = 6;

/** The delays after the first, second, … failed attempt. */
const WAITS_SECS = [5, 5 * 60, 30 * 60, 2 * 60 * 60, 5 * 60 * 60];

/** Jitter: waits are extended by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** A receiver may request a longer wait, up to this limit. */
const RETRY_AFTER_SECS_MAX = 24 * 60 * 60;

/**
 * When the attempt after `attemptsMade` failed ones is due; null when there is none. `Retry-After` is a shortest wait
 * (RFC 9110 section 10.2.3), so it can lengthen the wait, but not shorten it. `random` is from 0 to 1.
 */
export function nextAttempt(attemptsMade: number, retryAfter: string | null, now: Date, random: number): Due | null {
  const waitSecs = WAITS_SECS[attemptsMade - 1];
  if (waitSecs === undefined) return null;
  const requested = Math.min(retryAfterMs(retryAfter, now), RETRY_AFTER_SECS_MAX * 1000);
  return dueIn(now, Math.max(Math.round(waitSecs * 1000 * (1 + JITTER * random)), requested));
}

/** Seconds or an HTTP date, in each of the three formats of RFC 9110 section 5.6.7; 0 when it is neither. */
function retryAfterMs(text: string | null, now: Date): number {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return 0;
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
