import { getPriority, setPriority } from 'node:os';

/**
 * Gives way to other processes by this niceness. A process that was started with a higher one keeps it: lowering it is
 * not allowed, which is no reason to fail.
 */
export function lowerPriority(niceness: number): void {
  try {
    if (getPriority() < niceness) setPriority(niceness);
  } catch {
    // A sandbox may forbid it altogether.
  }
}
