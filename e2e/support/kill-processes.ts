import { send } from './api.ts';
import type { LocalStack } from './local-stack.ts';
import { processesOf } from './processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';

export interface KillOptions {
  readonly kills: number;
  /** Processes that simulate external systems. */
  readonly spare: readonly (number | undefined)[];
}

/**
 * Kills processes of a stack (SIGKILL) at random, one after the other: however slow the machine, the stack is healthy for a
 * moment between two kills, and again at the end.
 */
export async function killProcesses(stack: LocalStack, { kills, spare }: KillOptions): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const victims = processesOf(stack).filter((pid) => !spare.includes(pid));
    const victim = victims[Math.floor(Math.random() * victims.length)];
    if (victim === undefined) throw new Error('the stack has no processes');
    process.kill(victim, 'SIGKILL');
    await healthy(stack);
  }
}

/** Waits until the gateway reports that all services are healthy, and the sandbox, which it does not know, answers. */
export async function healthy({ local }: Pick<LocalStack, 'local'>): Promise<void> {
  const answers = async (url: string) => {
    const { status, text } = await send('GET', url);
    return status === 200 || Promise.reject(new Error(`${url} was answered ${status} ${text}`));
  };
  await waitUntil(
    async () => (await answers(`${local.base_url}/healthz`)) && (await answers(`${local.sandbox_url}/faults`)),
    { what: 'the stack to be healthy', timeoutMs: 300_000 },
  );
}
