import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = { min: 100, max: 5000 };
/** The longer something takes, the less often it is asked for: long work pauses for requests. */
const SHARE = 0.1;

/** Asks until it is so; rejects once the signal is aborted. */
export async function pollUntil(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    const pauseMs = Math.max((performance.now() - startedMs) * SHARE, PAUSE_MS.min);
    await sleep(Math.min(pauseMs, PAUSE_MS.max), undefined, { signal });
  }
}
