import { parentPort } from 'node:worker_threads';
import { getPriority, setPriority } from 'node:os';
import type { JobMessage, ResultMessage } from './worker.ts';

/**
 * Below calls and interactive requests, where processor time is short; but only a
 * little: with 5, a machine that others kept busy took more than 15 seconds to load a voice.
 */
const NICENESS = 2;
/** Background work must not delay speech for a caller. */
export const BACKGROUND_NICENESS = 4;

/** The whole of a worker's program: does the jobs that arrive, one after the other, and ends with its parent process. */
export function serveJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>, niceness = NICENESS): void {
  lowerPriority(niceness);
  const port = parentPort;
  const send = (message: ResultMessage<Result>) => void (port ? port.postMessage(message) : process.send?.(message));
  let last: Promise<void> = Promise.resolve();
  const take = ({ id, job }: JobMessage<Job>) => {
    last = last.then(async () => {
      try {
        send({ id, result: await work(job) });
      } catch (error) {
        send({ id, problem: error instanceof Error ? error.message : String(error) });
      }
    });
  };
  if (port) {
    port.on('message', take);
  } else {
    process.on('message', (message) => take(message as JobMessage<Job>));
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
