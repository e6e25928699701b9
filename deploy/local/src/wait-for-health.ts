import { setTimeout as sleep } from 'node:timers/promises';

const HEALTHY_MS_MAX = 120_000;

/** Waits until a health check passes. The gateway's includes every service behind it. */
export async function waitForHealth(url: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + HEALTHY_MS_MAX;
  for (;;) {
    const problem = await healthProblem(url, signal);
    if (!problem) return;
    signal.throwIfAborted();
    if (performance.now() > deadline) throw new Error(`${url} did not become healthy: ${problem}`);
    await sleep(50);
  }
}

async function healthProblem(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
    const text = await answer.text();
    return answer.status === 200 ? undefined : `${answer.status} ${text}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
