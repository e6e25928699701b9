import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Work of minutes or hours, such as a rebuild. */
interface LongWork {
  /** What has been done since then is paused for. */
  resumedAtMs: number;
}

/** How long after a request others are expected. */
const REQUESTS_MS = 200;
/** Requests get four fifths of the time. */
const PAUSE_TIMES = 4;
const PAUSE_MS_MAX = 500;
/** Shorter steps are not worth a pause. */
const STEP_MS_MIN = 5;

const longWork = new AsyncLocalStorage<LongWork>();
let requestedAtMs = -Infinity;

/** Something of this process is working for somebody who waits. Long work does not count. */
export function noteRequest(): void {
  if (!longWork.getStore()) requestedAtMs = performance.now();
}

/** Whether long work should leave room for requests. */
export function hasRequests(): boolean {
  return performance.now() - requestedAtMs < REQUESTS_MS;
}

/**
 * Does work that may take long; it calls `pauseForRequests` between its steps. `hurryMs`: somebody waits for work that is done sooner, so there
 * are no pauses before.
 */
export function runLongWork<Result>(work: () => Result, { hurryMs = 0 } = {}): Result {
  return longWork.run(longWork.getStore() ?? { resumedAtMs: performance.now() + hurryMs }, work);
}

/** The same for a list that is computed while it is read. */
export async function* longList<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await runLongWork(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * For long work, between two steps of it. Undefined while the process has no requests, and outside of long work; otherwise a pause of several
 * times what was done since the last one.
 */
export function pauseForRequests(): Promise<void> | undefined {
  const work = longWork.getStore();
  if (!work) return undefined;
  const workedMs = performance.now() - work.resumedAtMs;
  if (workedMs < STEP_MS_MIN) return undefined;
  if (hasRequests()) return pause(work, Math.min(workedMs * PAUSE_TIMES, PAUSE_MS_MAX));
  work.resumedAtMs = performance.now();
  return undefined;
}

async function pause(work: LongWork, ms: number): Promise<void> {
  await sleep(ms);
  work.resumedAtMs = performance.now();
}
