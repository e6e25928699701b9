import { setTimeout as sleep } from 'node:timers/promises';

/** An answer that several requests wait for is sent when no other one has arrived for this long. */
const QUIET_MS = 250;
/** Requests that keep arriving cannot hold an answer back for longer than this. */
const HELD_MS_MAX = 2000;

interface Running<Answer> {
  readonly answer: Promise<Answer>;
  readonly arrivals: { count: number; lastAt: number };
}

/**
 * Runs `work` once for requests that are the same and overlap, and gives all of them its answer. On a busy machine
 * requests sent in the same moment arrive one after the other, so an answer that is shared waits for the last of them.
 */
export function singleFlight<Answer>(): (
  request: string,
  /** `isContended`: whether another request is waiting for the response. */
  work: (isContended: () => boolean) => Promise<Answer>,
) => Promise<Answer> {
  const running = new Map<string, Running<Answer>>();
  return (request, work) => {
    const known = running.get(request);
    if (known) {
      known.arrivals.count += 1;
      known.arrivals.lastAt = performance.now();
      return known.answer;
    }
    const arrivals = { count: 1, lastAt: performance.now() };
    const answer = (async () => {
      try {
        const result = await work(() => arrivals.count > 1);
        await quiet(arrivals);
        return result;
      } finally {
        running.delete(request);
      }
    })();
    running.set(request, { answer, arrivals });
    return answer;
  };
}

async function quiet(arrivals: Running<unknown>['arrivals']): Promise<void> {
  const latest = performance.now() + HELD_MS_MAX;
  while (arrivals.count > 1) {
    const waitMs = Math.min(arrivals.lastAt + QUIET_MS, latest) - performance.now();
    if (waitMs <= 0) return;
    await sleep(waitMs);
  }
}
