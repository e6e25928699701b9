import { parentPort } from 'node:worker_threads';
import { getPriority, setPriority } from 'node:os';
import type { CancelMessage, JobMessage, ResultMessage } from './worker.ts';

/**
 * Below calls and interactive requests, where processor time is short; but only a
 * little: with 5, a machine that others kept busy took more than 15 seconds to load a voice.
 */
const NICENESS = 2;
/** Background work must not delay speech for a caller. */
export const BACKGROUND_NICENESS = 4;

/** Calls in progress: whoever speaks is waiting. */
export const CALL_NICENESS = 0;

/**
 * The whole of a worker's program: does the jobs that arrive, one after the other, and ends with its parent process. A job that can
 * stop before its end watches the signal.
 */
export function serveJobs<Job, Result>(
  work: (job: Job, signal: AbortSignal) => Result | Promise<Result>,
  niceness = NICENESS,
): void {
  lowerPriority(niceness);
  const port = parentPort;
  const send = (message: ResultMessage<Result>) => void (port ? port.postMessage(message) : process.send?.(message));
  const open = new Map<number, AbortController>();
  let last: Promise<void> = Promise.resolve();
  const take = (message: JobMessage<Job> | CancelMessage) => {
    if ('cancelled' in message) {
      open.get(message.cancelled)?.abort();
      return;
    }
    const { id, job } = message;
    const cancel = new AbortController();
    open.set(id, cancel);
    last = last.then(async () => {
      try {
        send({ id, result: await work(job, cancel.signal) });
      } catch (error) {
        send({ id, problem: error instanceof Error ? error.message : String(error) });
      } finally {
        open.delete(id);
      }
    });
  };
  if (port) {
    port.on('message', take);
  } else {
    process.on('message', (message) => take(message as JobMessage<Job> | CancelMessage));
    process.on('disconnect', () => process.exit());
  }
}

/**
 * Gives way to other processes by this niceness. A process that was started with a higher one keeps it: lowering it is
 * not allowed, which is no reason to fail.
 */
function lowerPriority(niceness: number): void {
  try {
    if (getPriority() < niceness) setPriority(niceness);
  } catch {
    // A sandbox may forbid it altogether.
  }
}

/** A higher number is served first. */
export const PRIORITY = { background: 1, interactive: 2, call: 3 } as const;

export type JobPriority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** The company and priority of a job, and the signal that cancels it. */
export interface JobContext {
  readonly signal: AbortSignal;
  /** Empty for the installation itself. */
  readonly companyId: string;
  readonly priority: JobPriority;
}
