import { setTimeout as sleep } from 'node:timers/promises';

const HEALTHY_MS_MAX = 30_000;

/** Waits until the gateway says that it and every service behind it answer. */
export async function waitForHealth(baseUrl: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + HEALTHY_MS_MAX;
  for (;;) {
    const problem = await healthProblem(baseUrl, signal);
    if (!problem) return;
    signal.throwIfAborted();
    if (performance.now() > deadline) throw new Error(`the stack did not become healthy: ${problem}`);
    await sleep(50);
  }
}

async function healthProblem(baseUrl: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
    const text = await answer.text();
    return answer.status === 200 ? undefined : `${answer.status} ${text}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
