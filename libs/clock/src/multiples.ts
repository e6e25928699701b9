/** A timer may ring a little before its time. */
const EARLY_MS = 100;

/**
 * The time until the next whole multiple of an interval since the start of the process: what recurs at rest does so at the same
 * times, so that it can be done together.
 */
export function msUntilMultiple(everyMs: number, now = performance.now()): number {
  const inMs = everyMs - (now % everyMs);
  return inMs < EARLY_MS ? inMs + everyMs : inMs;
}
