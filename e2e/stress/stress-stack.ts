import { setTimeout as sleep } from 'node:timers/promises';
import { requestNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** The maximum size of a scenario: it ends after the count or the time, whichever comes first. */
export interface Amount {
  readonly count: number;
  readonly minutes: number;
  /** Ends it before. */
  readonly signal?: AbortSignal;
}

/** A company that texts, on a stack with a process for each service. */
export interface StressStack {
  readonly stack: LocalStack;
  readonly company: Company;
  readonly numbers: readonly { readonly id: string; readonly number: string }[];
}

const ANSWERED_WITHIN_MS = 600_000;
const PROGRESS_EVERY_MS = 20_000;
const SETUP_WORKERS = 8;
const SETUP_MINUTES = 5;
const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 1000;

export async function withStressStack(
  numbers: number,
  work: (given: StressStack) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate', ...environment } });
  try {
    // On a busy machine the first requests may take too long.
    const company = await waitUntil(() => createTestCompany(stack.local, { messaging_enabled: true }), {
      what: 'a company',
      timeoutMs: ANSWERED_WITHIN_MS,
    });
    const given: { id: string; number: string }[] = [];
    await inParallel({ count: numbers, minutes: SETUP_MINUTES }, SETUP_WORKERS, async () => {
      given.push(
        await retry('a number', async () => {
          const { status, body } = await requestNumber(company, {}, stack.local);
          return status === 201 ? body : undefined;
        }),
      );
    });
    await work({ stack, company, numbers: given });
  } finally {
    await stack.stop();
  }
}

/** The response, unless the stack could not be reached or was not able to give one. */
async function answered<R extends { status: number }>(ask: () => Promise<R>): Promise<R | undefined> {
  const reply = await ask().catch(() => undefined);
  return reply !== undefined && ![429, 500, 503].includes(reply.status) ? reply : undefined;
}

/** Retries until there is a response that is not a transport error. */
export function untilAnswered<R extends { status: number }>(ask: () => Promise<R>): Promise<R> {
  return retry('an answer', () => answered(ask));
}

/**
 * Retries while the result is undefined, less and less often: clients that ask all the time would take the processor from
 * the process that is being restarted.
 */
export async function retry<T>(
  what: string,
  attempt: () => Promise<T | undefined>,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2)) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (performance.now() > end) throw new Error(`waited ${withinMs / 1000} s for ${what}`);
    await sleep(pauseMs * (0.5 + Math.random() / 2));
  }
}

/** A customer texts a number; the provider repeats its callback until it is taken. */
export async function receiveText(
  stack: Pick<LocalStack, 'local'>,
  text: { from: string; to: string; text: string },
): Promise<void> {
  let providerId: string | undefined;
  await retry('the callback to be taken', async () => {
    const body = providerId === undefined ? text : { provider_id: providerId };
    const reply = await sandbox(stack.local, 'POST', '/messages', body).catch(() => undefined);
    providerId = reply?.body?.provider_id ?? providerId;
    return reply?.body?.callback_status === 200 ? true : undefined;
  });
}

/** Works through numbered tasks, some at the same time, and logs progress; returns how many were started, all of them finished. */
export async function inParallel(
  { count, minutes, signal }: Amount,
  workers: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  const end = performance.now() + minutes * 60_000;
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < count && performance.now() < end && !signal?.aborted) {
      await work(next++);
      done += 1;
    }
  };
  const progress = setInterval(() => console.log(`  ${done} of ${count}`), PROGRESS_EVERY_MS);
  try {
    await Promise.all(Array.from({ length: workers }, worker));
  } finally {
    clearInterval(progress);
  }
  return done;
}

export function requireThat(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
