import type { Clock } from './clock.ts';

/**
 * Microseconds since 1970 that always grow within a process: an order for things that happen in the same millisecond.
 * Only a clock that goes back by a second or more, as a test clock does, moves them back.
 */
export function microsecondTicker(clock: Clock): () => number {
  let last = 0;
  return () => {
    const now = clock.now().getTime() * 1000;
    last = now <= last && last - now < 1_000_000 ? last + 1 : now;
    return last;
  };
}
