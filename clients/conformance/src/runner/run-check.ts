import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '../checks/check.ts';
import { Failure, LeftOut, SetUpFailure } from '../expectations/failure.ts';
import type { Lock } from '../world/lock.ts';
import { makeContext, restoreSurroundings, type World } from '../world/context.ts';
import type { CheckResult } from './result.ts';

/** Ends a check that hangs. */
const TIME_LIMIT_MS = 120_000;

/** Runs a check, alone if it says so. It never throws: whatever happens is a result. */
export function runCheck(check: Check, world: World, lock: Lock, timeLimitMs = TIME_LIMIT_MS): Promise<CheckResult> {
  return lock.hold(check.alone, async () => {
    const end = new AbortController();
    const signal = world.signal ? AbortSignal.any([world.signal, end.signal]) : end.signal;
    const context = makeContext(world, { area: check.area, alone: check.alone, signal });
    const started = performance.now();
    const outcome = await outcomeOf(() => withinLimit(() => check.run(context), end, timeLimitMs));
    const durationMs = Math.round(performance.now() - started);
    const restored = check.alone ? await outcomeOf(() => restoreSurroundings(world)) : outcome;
    const worst = outcome.outcome === 'held' ? restored : outcome;
    return { check, ...worst, durationMs, made: context.network.made };
  });
}

async function outcomeOf(work: () => Promise<void>): Promise<Pick<CheckResult, 'outcome' | 'message' | 'isUnknown'>> {
  try {
    await work();
    return { outcome: 'held', isUnknown: false };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LeftOut) return { outcome: 'left_out', message, isUnknown: false };
    if (error instanceof SetUpFailure)
      return { outcome: 'failed', message: `could not be prepared: ${message}`, isUnknown: true };
    const where = error instanceof Failure || !(error instanceof Error) ? '' : ` (${placeOf(error)})`;
    return { outcome: 'failed', message: `${message}${where}`, isUnknown: false };
  }
}

/** Where an error came up that no expectation describes: a field that was not there, say. */
function placeOf({ name, stack = '' }: Error): string {
  const place = /\/checks\/(.+\.[jt]s:\d+)/.exec(stack)?.[1];
  return place === undefined ? name : `${name} at ${place}`;
}

async function withinLimit(work: () => Promise<void>, end: AbortController, limitMs: number): Promise<void> {
  const limit = new AbortController();
  const late = delay(limitMs, undefined, { signal: limit.signal }).then(
    () => {
      throw new Failure(`it took longer than ${limitMs / 1000} s`);
    },
    () => undefined,
  );
  try {
    await Promise.race([work(), late]);
  } finally {
    limit.abort();
    end.abort();
  }
}
