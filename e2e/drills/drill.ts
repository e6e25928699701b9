import type { Random } from '../support/random.ts';

/** One run of a drill. */
export interface Drill {
  readonly seed: number;
  /** Chooses the moments and the victims. */
  readonly random: Random;
  /** Tells the person what happens now. */
  say(line: string): void;
  /** Undone in reverse when the drill ends, however it ends. */
  defer(undo: () => unknown): void;
}

/** A drill ends with what it measured, or says why it cannot run here; it throws where a promise does not hold. */
export type DrillProgram = (drill: Drill) => Promise<void>;

/** This machine lacks what the drill needs. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

/** Whole seconds with one digit. */
export const secs = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The time that some work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
