import type { ResponseHeaders } from '../responses/response.ts';

/** A general limit per credential, kept by one process. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The token bucket: its rate, its capacity and its clock. */
export interface RateLimit {
  readonly perSecond?: number;
  readonly burst?: number;
  readonly clock: { now(): Date };
}

/** Full buckets are removed only above this many keys. */
const SWEEP_SIZE_MIN = 10_000;
/** Beyond this many keys the oldest are dropped, so that memory stays bounded. */
const KEYS_MAX = 200_000;

/**
 * A token bucket per key, 100 requests a second with a burst of 500 unless configured otherwise. A bucket is one number,
 * the instant at which it will be full again (GCRA); a full bucket is the same as none, so it can be dropped.
 * Headers follow draft-ietf-httpapi-ratelimit-headers-11.
 */
export function createRateLimiter({ perSecond = 100, burst = 500, clock }: RateLimit) {
  if (!(perSecond > 0) || !(burst >= 1))
    throw new Error('a rate limit needs a positive rate and a burst of at least 1');
  const tokenMs = 1000 / perSecond;
  const bucketMs = burst * tokenMs;
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(bucketMs / 1000))}`;
  const fullAtMs = new Map<string, number>();
  let sweepSize = SWEEP_SIZE_MIN;

  function sweep(nowMs: number): void {
    for (const [key, full] of fullAtMs) if (full <= nowMs) fullAtMs.delete(key);
    for (const key of fullAtMs.keys()) {
      if (fullAtMs.size <= KEYS_MAX / 2) break;
      fullAtMs.delete(key);
    }
    sweepSize = Math.max(SWEEP_SIZE_MIN, fullAtMs.size * 2);
  }

  /** When the bucket of `key` will be full again, if one more token is taken from it. */
  function fullAfterNext(key: string, nowMs: number): number {
    const known = fullAtMs.get(key) ?? nowMs;
    // Further ahead than an empty bucket can be: the clock was moved back, which must not block a key.
    return (known > nowMs + bucketMs ? nowMs : Math.max(known, nowMs)) + tokenMs;
  }

  function headers(left: number, windowMs: number, refused: boolean): ResponseHeaders {
    const windowSecs = Math.max(1, Math.ceil(windowMs / 1000));
    const fields = { RateLimit: `"default";r=${left};t=${windowSecs}`, 'RateLimit-Policy': policy };
    return refused ? { ...fields, 'Retry-After': String(windowSecs) } : fields;
  }

  return {
    /** Counts one request of `key`, unless it is refused. The headers are `RateLimit`, `RateLimit-Policy` and, when refused, `Retry-After`. */
    consume(key: string): { readonly allowed: boolean; readonly headers: ResponseHeaders } {
      const nowMs = clock.now().getTime();
      const full = fullAfterNext(key, nowMs);
      const spareMs = nowMs + bucketMs - full;
      if (spareMs < -1e-6) return { allowed: false, headers: headers(0, -spareMs, true) };
      fullAtMs.set(key, full);
      if (fullAtMs.size > sweepSize) sweep(nowMs);
      return { allowed: true, headers: headers(Math.floor(spareMs / tokenMs + 1e-6), full - nowMs, false) };
    },
    /** Seconds until the next request of `key` would be allowed; 0 when it is allowed now. Counts nothing. */
    waitSecs(key: string): number {
      const nowMs = clock.now().getTime();
      const spareMs = nowMs + bucketMs - fullAfterNext(key, nowMs);
      return spareMs < -1e-6 ? Math.max(1, Math.ceil(-spareMs / 1000)) : 0;
    },
  };
}
