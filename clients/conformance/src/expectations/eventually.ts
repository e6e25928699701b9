import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.ts';

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/**
 * What `attempt` gives as soon as its expectations hold; what comes later than the request that caused it is read with this. It fails with the
 * last thing that was wrong.
 */
export async function eventually<Value>(
  what: string,
  attempt: () => Promise<Value>,
  { withinMs = 10_000 }: { withinMs?: number } = {},
): Promise<Value> {
  const end = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (performance.now() >= end) throw new Failure(`${what}: not within ${withinMs / 1000} s; ${error.message}`);
    }
    await delay(pauseMs);
  }
}
