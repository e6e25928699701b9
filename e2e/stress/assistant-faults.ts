// What happens to the processes behind a call with an assistant.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from '../support/local-stack.ts';
import { hasUdpPort, processesOfService } from '../support/processes.ts';

/** `assistant`: the process that has the audio of the call; the plural: all processes of a service. */
export type Fault =
  | 'assistant killed'
  | 'assistant frozen'
  | 'assistants killed'
  | 'call-control killed'
  | 'call-controls killed'
  | 'speech killed';

/** Much longer than another process needs to continue a session. */
const FROZEN_MS = 10_000;

/** Resolves once nothing is done to the processes any more: at once, or when a frozen one goes on. */
export async function cause(stack: LocalStack, fault: Fault): Promise<void> {
  const [victim = '', what] = fault.split(' ');
  const pids = processesOfService(stack, victim.replace(/s$/, ''));
  if (what === 'frozen') return freeze(holderAmong(pids));
  const victims = victim.endsWith('s') ? pids : [victim === 'assistant' ? holderAmong(pids) : pids[0]!];
  for (const pid of victims) process.kill(pid, 'SIGKILL');
}

/** The assistant's phone has a port for the audio of each call. */
function holderAmong(pids: readonly number[]): number {
  const holder = pids.find(hasUdpPort);
  if (holder === undefined) throw new Error('no process has the audio of the call');
  return holder;
}

async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(FROZEN_MS);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
