import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Running } from '@parley/service';

const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** The service in a separate process, which can be killed. */
export interface OwnProcess extends Running {
  readonly pid: number;
  /** Simulates a power cut. */
  kill(): Promise<void>;
}

export async function startInOwnProcess(env: Record<string, string>): Promise<OwnProcess> {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const ready = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
  if (!ready) throw new Error('the service did not start');
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid!, stop: end('SIGTERM'), kill: end('SIGKILL') };
}
