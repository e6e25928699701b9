import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child-process.ts';

/** Ends programs that hang: a start takes seconds, but minutes on a machine that is busy with other things. */
const START_MS_MAX = 180_000;
const BACK_OFF_MS = { first: 100, most: 2_000 };
/** A process that ran this long restarts immediately, without backoff. */
const STEADY_MS = 2_000;

export interface SuperviseOptions {
  /** Used in log lines and errors. */
  readonly name: string;
  /** The program, run by this process's own Node.js; it sends `{ ready: true }` over its channel when it serves. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Options of Node.js itself. */
  readonly nodeArgs?: readonly string[];
  /** The whole environment; without it the child has this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Starts it again, with the same arguments, whenever it exits unexpectedly. */
  readonly restart?: boolean;
  /** Clears away what a killed one left behind; nothing of it runs any more. */
  readonly beforeStart?: () => void;
  /** One line for each thing that happens to the process. */
  readonly log: (line: string) => void;
  /** Each line the process writes; without it they go to `log` with the name in front. */
  readonly output?: (line: string) => void;
  /** The longest start, and the longest stop before the process is killed. */
  readonly startMs?: number;
  readonly stopMs?: number;
  /** Aborts a first start that has not finished. */
  readonly signal?: AbortSignal;
}

/** A process that is kept running until it is stopped. */
export interface SupervisedProcess {
  /** The process that serves now. */
  readonly pid: number | undefined;
  /** Stops it permanently; resolves when it has exited. */
  stop(): Promise<void>;
}

/** Starts a program and waits until it is ready; a first start that fails is an error with one clear line. */
export async function superviseProcess(options: SuperviseOptions): Promise<SupervisedProcess> {
  const { name, log, restart = false, output = (line) => log(`${name}: ${line}`) } = options;
  const start = () => {
    options.beforeStart?.();
    return startChild({ startMs: START_MS_MAX, stopMs: 5_000, ...options, output });
  };
  const stopping = new AbortController();
  options.signal?.throwIfAborted();
  let child = start();
  const giveUp = () => void child.stop();
  options.signal?.addEventListener('abort', giveUp);
  await child.ready.finally(() => options.signal?.removeEventListener('abort', giveUp));

  const keepRunning = async () => {
    let backOffMs = BACK_OFF_MS.first;
    let wasReady = true;
    for (;;) {
      const startedAt = performance.now();
      const how = await child.ended;
      if (stopping.signal.aborted) return;
      if (wasReady) log(`${name} exited unexpectedly (${how})${restart ? ', restarting' : ''}`);
      if (!restart) return;
      if (performance.now() - startedAt > STEADY_MS) backOffMs = BACK_OFF_MS.first;
      await sleep(backOffMs, undefined, { signal: stopping.signal }).catch(() => {});
      backOffMs = Math.min(backOffMs * 2, BACK_OFF_MS.most);
      if (stopping.signal.aborted) return;
      child = start();
      const problem = await child.ready.then(
        () => undefined,
        (error: Error) => error.message,
      );
      wasReady = problem === undefined;
      if (!stopping.signal.aborted) log(problem ?? `${name} has restarted`);
    }
  };
  const kept = keepRunning();

  return {
    get pid() {
      return child.pid;
    },
    async stop() {
      stopping.abort();
      await child.stop();
      await kept;
    },
  };
}
