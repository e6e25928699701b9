import { Worker as Thread } from 'node:worker_threads';
import { fork } from 'node:child_process';

/** Something beside the event loop that does one job at a time: a child process or a thread. */
export interface Worker<Job, Result> {
  /**
   * Rejects with the worker's error, or with `WorkerLost` when it ended before it answered. A job that can stop before its end does
   * when the signal aborts.
   */
  run(job: Job, signal?: AbortSignal): Promise<Result>;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
  /** Ends it now, whatever it is doing. */
  end(): void;
}

/** The worker ended, or was ended, before it answered. */
export class WorkerLost extends Error {
  constructor(reason: string) {
    super(`the worker was lost: ${reason}`);
    this.name = 'WorkerLost';
  }
}

/** A crash may have had nothing to do with this work: it is repeated once. */
export async function repeatIfLost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkerLost) return work();
    throw error;
  }
}

/** The messages to and from a worker. */
export interface JobMessage<Job> {
  readonly id: number;
  readonly job: Job;
}

/** Nobody waits for this job any more. */
export interface CancelMessage {
  readonly cancelled: number;
}

export type ResultMessage<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly problem: string };

/** One of our programs in a thread: for calculations that would block other requests for too long. */
export function launchThread<Job, Result>(program: string): Worker<Job, Result> {
  const thread = new Thread(program, { execArgv: ['--disable-warning=ExperimentalWarning'], env: {} });
  const pendingResults = trackPendingResults<Result>();
  thread.on('message', (message: ResultMessage<Result>) => pendingResults.take(message));
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      pendingResults.lose(reason);
      resolve(reason);
    };
    thread.once('error', (error) => end(error.message));
    thread.once('exit', (code) => end(`exit code ${code}`));
  });
  return {
    ended,
    end: () => void thread.terminate(),
    run(job) {
      const { id, result } = pendingResults.next();
      thread.postMessage({ id, job });
      return result;
    },
  };
}

const COMPLAINT_LENGTH_MAX = 1000;

/**
 * One of our programs in a child process, connected by its IPC channel. Native engines run in such processes: a
 * crash does not affect the service, and their memory is released with them.
 */
export function launchChild<Job, Result>(program: string, args: readonly string[]): Worker<Job, Result> {
  const child = fork(program, args, {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const pendingResults = trackPendingResults<Result>();
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk).slice(-COMPLAINT_LENGTH_MAX)));
  child.on('message', (message) => pendingResults.take(message as ResultMessage<Result>));
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      pendingResults.lose(reason);
      resolve(reason);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}: ${complaint.trim()}`));
  });
  return {
    ended,
    end: () => void child.kill('SIGKILL'),
    run(job, signal) {
      const { id, result } = pendingResults.next();
      child.send({ id, job }, (error) => error && pendingResults.lose(error.message));
      if (!signal) return result;
      // A child that has ended takes no message; its jobs are lost anyway.
      const cancel = () => void child.send({ cancelled: id }, () => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      return result.finally(() => signal.removeEventListener('abort', cancel));
    },
  };
}

/** Pairs results with their jobs. */
interface PendingResults<Result> {
  /** A number for the next job and the promise of its result. */
  next(): { id: number; result: Promise<Result> };
  take(message: ResultMessage<Result>): void;
  /** The worker has ended: no further results will arrive. */
  lose(reason: string): void;
}

export function trackPendingResults<Result>(): PendingResults<Result> {
  const open = new Map<number, PromiseWithResolvers<Result>>();
  let last = 0;
  let lost: string | undefined;
  return {
    next() {
      const waiting = Promise.withResolvers<Result>();
      const id = (last += 1);
      if (lost === undefined) open.set(id, waiting);
      else waiting.reject(new WorkerLost(lost));
      return { id, result: waiting.promise };
    },
    take(message) {
      const waiting = open.get(message.id);
      open.delete(message.id);
      if ('result' in message) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.problem));
    },
    lose(reason) {
      lost ??= reason;
      for (const waiting of open.values()) waiting.reject(new WorkerLost(reason));
      open.clear();
    },
  };
}
