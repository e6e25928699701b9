import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface WaitOptions {
  /** The awaited condition, printed after "waited 30 s for". */
  readonly what: string;
  readonly timeoutMs?: number;
}

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 50;

/**
 * Polls until the result is truthy, and returns it. A condition that throws is polled again.
 * After `timeoutMs` (30 s) it fails with the last result or exception.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 30_000 }: WaitOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (let pollMs = POLL_FIRST_MS; ; pollMs = Math.min(POLL_MAX_MS, pollMs * 1.5)) {
    let last: string;
    let cause: unknown;
    try {
      const answer = await condition();
      if (answer) return answer as Exclude<T, false | null | undefined>;
      last = `the last answer was ${inspect(answer, { depth: 4 })}`;
    } catch (error) {
      last = `the last try failed: ${error instanceof Error ? error.message : inspect(error)}`;
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}; ${last}`, { cause });
    await sleep(pollMs);
  }
}
