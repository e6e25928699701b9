import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface WaitOptions {
  /** The awaited condition, printed after "waited 30 s for". */
  readonly what: string;
  readonly timeoutMs?: number;
}

const POLL_FIRST_MS = 10;
const POLL_MS = 50;
/** In a long wait: every poll of a stack costs processor time that others need. */
const POLL_MAX_MS = 250;
const POLLS_PER_WAIT = 20;

/**
 * Polls until the result is truthy, and returns it. A condition that throws is polled again.
 * After `timeoutMs` (30 s) it fails with the last result or exception.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 30_000 }: WaitOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const started = performance.now();
  for (let pollMs = POLL_FIRST_MS; ;) {
    let answer: T | undefined;
    let cause: unknown;
    try {
      answer = await condition();
      if (answer) return answer as Exclude<T, false | null | undefined>;
    } catch (error) {
      cause = error;
    }
    const waitedMs = performance.now() - started;
    if (waitedMs > timeoutMs) {
      const failed = cause instanceof Error ? cause.message : inspect(cause);
      const last = cause ? `the last try failed: ${failed}` : `the last answer was ${inspect(answer, { depth: 4 })}`;
      throw new Error(`waited ${timeoutMs / 1000} s for ${what}; ${last}`, { cause });
    }
    await sleep(pollMs);
    pollMs = Math.min(pollMs * 1.5, Math.max(POLL_MS, waitedMs / POLLS_PER_WAIT), POLL_MAX_MS);
  }
}
