import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_MS_MAX = 5_000;
const START_MS_MAX = 60_000;
const POLL_MS = 100;

export interface RunningProgram {
  stop(): Promise<void>;
}

/** Starts a program and waits until an address of it responds; its output goes into a file. */
export async function runProgram(options: {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly logFile: string;
  readonly readyUrl: string;
}): Promise<RunningProgram> {
  const { file, args, env, cwd, logFile, readyUrl } = options;
  const log = createWriteStream(logFile);
  await once(log, 'open');
  const child = spawn(file, [...args], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
    ...(cwd && { cwd }),
  });
  const program = { stop: () => stop(child) };
  try {
    await untilReady(child, readyUrl);
    return program;
  } catch (error) {
    await program.stop();
    throw new Error(`${file} did not start, see ${logFile}: ${(error as Error).message}`, { cause: error });
  }
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
  const deadline = performance.now() + START_MS_MAX;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    const response = await Promise.race([fetch(url).catch(() => undefined), failed]);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(POLL_MS);
  }
  throw new Error(`${url} did not respond within ${START_MS_MAX / 1000} s`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = new AbortController();
  await Promise.race([
    ended,
    sleep(STOP_MS_MAX, undefined, { signal: limit.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    ),
  ]);
  limit.abort();
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess) =>
  exitCode !== null || signalCode !== null || pid === undefined;
