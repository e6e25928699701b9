/** So many events in the time of a wait are load; fewer do not wait for each other. */
const LOAD_EVENTS = 4;
/** The weight of the last interval between events in their average. */
const INTERVAL_WEIGHT = 0.25;
/** A longer pause counts as this one, or as the time of a wait if that is longer. */
const PAUSE_MS = 50;

/** How often events arrive: whether one that waits for `waitMs` is likely to be joined by others. */
export function arrivalRate(waitMs: number): { count(): void; isLoad(): boolean } {
  const pauseMs = Math.max(PAUSE_MS, waitMs);
  let countedAt = -Infinity;
  let intervalMs = pauseMs;
  return {
    count() {
      const now = performance.now();
      intervalMs += (Math.min(now - countedAt, pauseMs) - intervalMs) * INTERVAL_WEIGHT;
      countedAt = now;
    },
    isLoad: () => intervalMs * LOAD_EVENTS < waitMs,
  };
}
