import type { Due, TimerChanges } from '@parley/errors';

/** A named timer inside its aggregate's document. */
export interface TimerEntry extends Due {
  name: string;
  /** Failed attempts of its handler. */
  failures: number;
}

/** The timers after a decision's changes. */
export function changeTimers(timers: readonly TimerEntry[], changes: TimerChanges<string>): readonly TimerEntry[] {
  const names = Object.keys(changes).filter((name) => changes[name] !== undefined);
  if (names.length === 0) return timers;
  const kept = timers.filter(({ name }) => !names.includes(name));
  const set = names.flatMap((name) => {
    const due = changes[name];
    return due ? [{ name, at: due.at, waitMs: due.waitMs, failures: 0 }] : [];
  });
  return [...kept, ...set];
}

/** The timers that are due, longest due first. */
export function dueTimers(timers: readonly TimerEntry[], now: Date): TimerEntry[] {
  return timers.filter(({ at }) => at <= now).toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Exponential backoff, at most ten minutes. */
export function retryWaitMs(failures: number): number {
  return Math.min(1000 * 2 ** Math.max(failures - 1, 0), 600_000);
}
