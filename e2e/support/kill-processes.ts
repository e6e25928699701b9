import { readFileSync } from 'node:fs';
import path from 'node:path';
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

/**
 * Waits until the gateway reports that all services are healthy, and the sandbox, which it does not know, answers. The error of a stack that
 * does not get there has the last lines of its logs.
 */
export async function healthy({ local, dataDir }: Pick<LocalStack, 'local' | 'dataDir'>): Promise<void> {
  const answers = async (url: string) => {
    const { status, text } = await send('GET', url);
    return status === 200 || Promise.reject(new Error(`${url} was answered ${status} ${text}`));
  };
  try {
    await waitUntil(
      async () => (await answers(`${local.base_url}/healthz`)) && (await answers(`${local.sandbox_url}/faults`)),
      { what: 'the stack to be healthy', timeoutMs: 300_000 },
    );
  } catch (error) {
    const { message } = error as Error;
    const unhealthy = [...message.matchAll(/"([\w-]+)":false/g)].map(([, service = '']) => service);
    const logs = ['stack', ...unhealthy].map((name) => `${name}.log:\n${lastLines(dataDir, name)}`);
    throw new Error([message, ...logs].join('\n'), { cause: error });
  }
}

function lastLines(dataDir: string, name: string): string {
  try {
    return readFileSync(path.join(dataDir, 'logs', `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-15)
      .join('\n');
  } catch {
    return '(none)';
  }
}
