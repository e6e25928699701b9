import type { Area, Check } from '../checks/check.ts';
import type { World } from '../world/context.ts';
import { Lock } from '../world/lock.ts';
import type { CheckResult } from './result.ts';
import { runCheck } from './run-check.ts';

const AREAS_AT_ONCE = 8;

export interface RunOptions {
  /** Called after each check. */
  readonly onResult?: (result: CheckResult) => void;
  readonly lock?: Lock;
}

/**
 * Runs checks: those of an area one after the other, several areas at the same time, and at the end one by one those that run alone. An
 * interruption ends it after the checks that are running.
 */
export async function runChecks(
  checks: readonly Check[],
  world: World,
  { onResult, lock = new Lock() }: RunOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const runAll = async (those: readonly Check[]) => {
    for (const check of those) {
      if (world.signal?.aborted) return;
      const result = await runCheck(check, world, lock);
      // Its requests were cut off: that says nothing about the server.
      if (world.signal?.aborted) return;
      results.push(result);
      onResult?.(result);
    }
  };
  // The longest lists first, so that none of them is left alone at the end.
  const lists = [...byArea(checks.filter(({ alone }) => !alone)).values()];
  const waiting = lists.toSorted((one, other) => other.length - one.length).values();
  const runWaiting = async () => {
    for (const list of waiting) await runAll(list);
  };
  await Promise.all(Array.from({ length: AREAS_AT_ONCE }, runWaiting));
  await runAll(checks.filter(({ alone }) => alone));
  const order = new Map(checks.map(({ id }, index) => [id, index]));
  return results.toSorted((one, other) => order.get(one.check.id)! - order.get(other.check.id)!);
}

function byArea(checks: readonly Check[]): Map<Area, Check[]> {
  const areas = new Map<Area, Check[]>();
  for (const check of checks) areas.set(check.area, [...(areas.get(check.area) ?? []), check]);
  return areas;
}
