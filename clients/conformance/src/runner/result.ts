import { AREAS, type Area, type Check } from '../checks/check.ts';
import type { Made } from '../http/network.ts';

export interface CheckResult {
  readonly check: Check;
  readonly outcome: 'held' | 'failed' | 'left_out';
  /** Why it failed or was left out. */
  readonly message?: string;
  /** It failed because what it needs could not be prepared: nothing is known about the rule. */
  readonly isUnknown: boolean;
  readonly durationMs: number;
  /** Its requests, to know which mutations it can find. */
  readonly made: readonly Made[];
}

export interface AreaCount {
  readonly area: Area;
  readonly held: number;
  /** Those that ran. */
  readonly total: number;
  readonly leftOut: number;
}

/** The areas of which checks were chosen, in the order of `AREAS`. */
export function countByArea(results: readonly CheckResult[]): AreaCount[] {
  return AREAS.map((area) => {
    const those = results.filter(({ check }) => check.area === area);
    const count = (outcome: CheckResult['outcome']) => those.filter((result) => result.outcome === outcome).length;
    return { area, held: count('held'), total: those.length - count('left_out'), leftOut: count('left_out') };
  }).filter(({ total, leftOut }) => total + leftOut > 0);
}

/** Whether every `must` holds, of those that ran; and something ran. */
export function conforms(results: readonly CheckResult[]): boolean {
  const wrong = results.some(({ check, outcome }) => check.level === 'must' && outcome === 'failed');
  return !wrong && results.some(({ outcome }) => outcome !== 'left_out');
}
