import { giveNumber } from '../business-numbers/give-number.ts';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOf, processesOfService } from '../support/processes.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A company that texts, on a stack with a process for each service. */
export interface StressStack {
  readonly stack: LocalStack;
  readonly company: Company;
  readonly numbers: readonly { readonly id: string; readonly number: string }[];
}

const HEALTHY_WITHIN_MS = 180_000;
const ANSWERED_WITHIN_MS = 600_000;

export async function withStressStack(numbers: number, work: (given: StressStack) => Promise<void>): Promise<void> {
  const stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });
  try {
    const company = await createTestCompany(stack.local, { messaging_enabled: true });
    const given: { id: string; number: string }[] = [];
    while (given.length < numbers) {
      const { status, body } = await giveNumber(company, {}, stack.local);
      if (status === 201) given.push(body);
    }
    await work({ stack, company, numbers: given });
  } finally {
    await stack.stop();
  }
}

/** Kills a process after another with -9, each once the stack is healthy again; the sandbox is the outside world and stays. */
export function startKilling(stack: LocalStack): { stop(): Promise<number> } {
  const [provider] = processesOfService(stack, 'sandbox');
  let stopped = false;
  let kills = 0;
  const killing = (async () => {
    while (!stopped) {
      const victims = processesOf(stack).filter((pid) => pid !== provider);
      const victim = victims[Math.floor(Math.random() * victims.length)];
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
      kills += 1;
      await healthy(stack);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await killing;
      return kills;
    },
  };
}

export function healthy(stack: LocalStack): Promise<boolean> {
  const answers = async () => (await fetch(`${stack.local.base_url}/healthz`).catch(() => undefined))?.status === 200;
  return waitUntil('the stack to be healthy', answers, HEALTHY_WITHIN_MS);
}

/** Asks again, as a careful client does, until there is an answer that is not about the way there. */
export function untilAnswered<R extends { status: number }>(ask: () => Promise<R>): Promise<R> {
  return waitUntil(
    'an answer',
    async () => {
      const reply = await ask().catch(() => undefined);
      return reply !== undefined && ![429, 500, 503].includes(reply.status) && reply;
    },
    ANSWERED_WITHIN_MS,
  );
}

/** A customer texts a number; the provider repeats its callback until it is taken. */
export async function receiveText(stack: LocalStack, text: { from: string; to: string; text: string }): Promise<void> {
  let providerId: string | undefined;
  await waitUntil(
    'the callback to be taken',
    async () => {
      const body = providerId === undefined ? text : { provider_id: providerId };
      const reply = await sandbox(stack.local, 'POST', '/messages', body);
      providerId = reply.body.provider_id;
      return reply.body.callback_status === 200;
    },
    ANSWERED_WITHIN_MS,
  );
}

/** Works through numbered tasks, some at the same time. */
export async function inParallel(
  count: number,
  workers: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

export function requireThat(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
