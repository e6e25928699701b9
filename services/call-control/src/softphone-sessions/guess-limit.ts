import type { Clock } from '@parley/clock';
import { createRateLimiter, type RateLimiter } from '@parley/http/rate-limit';
import { LRUCache } from 'lru-cache';

/** Who tries to authenticate as a phone. */
export interface PhoneAttempt {
  /** The address or network that the request came from. */
  readonly source: string;
  readonly username: string;
}

/** Limits the wrong passwords of phones, in the memory of this process: with several replicas each has limits of its own. */
export type GuessLimit = ReturnType<typeof guessLimit>;

const MINUTE_SECS = 60;
/** A phone whose session has expired fails once before it gets another. */
const PER_SOURCE_AND_USER = { burst: 10, perSecond: 10 / MINUTE_SECS };
/** A source at which the user has been recently: a proxy may be in front of everybody. */
const PER_KNOWN_SOURCE_AND_USER = { burst: 100, perSecond: 100 / MINUTE_SECS };
/** A whole company may be behind one address. */
const PER_SOURCE = { burst: 300, perSecond: 300 / MINUTE_SECS };
/** Guesses from many sources. */
const PER_USER = { burst: 200, perSecond: 200 / (10 * MINUTE_SECS) };
const KNOWN_MAX = 20_000;
const KNOWN_MS = 24 * 3600 * 1000;

/**
 * Where the user has registered or called within a day, only the limit of that source and that user counts, so that nobody is locked out by
 * what others guess elsewhere. What is refused is not counted again: guesses for one user do not lock the others of the same source out.
 */
export function guessLimit(clock: Clock) {
  const limiter = (limit: { burst: number; perSecond: number }) => createRateLimiter({ ...limit, clock });
  const [pairs, knownPairs] = [limiter(PER_SOURCE_AND_USER), limiter(PER_KNOWN_SOURCE_AND_USER)];
  const [sources, users] = [limiter(PER_SOURCE), limiter(PER_USER)];
  const knownSince = new LRUCache<string, number>({ max: KNOWN_MAX });

  function limitsOf({ source, username }: PhoneAttempt): readonly (readonly [RateLimiter, string])[] {
    const pair = `${source} ${username}`;
    const isKnown = clock.now().getTime() - (knownSince.get(pair) ?? -Infinity) < KNOWN_MS;
    if (isKnown) return [[knownPairs, pair]];
    return [
      [pairs, pair],
      [sources, source],
      [users, username],
    ];
  }

  return {
    /** False while there were too many wrong ones: the password must not be looked at, even if it is right. */
    allows: (attempt: PhoneAttempt) => limitsOf(attempt).every(([limit, key]) => limit.waitSecs(key) === 0),
    failed(attempt: PhoneAttempt): void {
      // Guesses at the same time are all looked at; they too count elsewhere only as far as the first limit allows.
      for (const [limit, key] of limitsOf(attempt)) if (!limit.consume(key).allowed) return;
    },
    succeeded: ({ source, username }: PhoneAttempt) =>
      void knownSince.set(`${source} ${username}`, clock.now().getTime()),
  };
}
