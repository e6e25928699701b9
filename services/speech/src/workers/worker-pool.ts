import type { Logger, Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import type { JobContext } from './serve-jobs.ts';
import { type Worker, WorkerLost } from './worker.ts';

/** Workers of one kind and the jobs that wait for them. */
export interface WorkerPool<Job, Result> {
  /**
   * Does a job when its turn comes; companies take turns. Jobs are small, so one that is in progress when the signal aborts
   * runs to its end and its result is discarded; one that takes longer than `limitMs` is ended together with its worker.
   */
  run(job: Job, limitMs: number, context: JobContext): Promise<Result>;
  stop(): Promise<void>;
}

export interface WorkerPoolOptions<Job, Result> {
  readonly name: string;
  readonly launch: () => Promise<Worker<Job, Result>>;
  readonly size: number;
  /** A worker without work is ended after this time, and its memory with it. */
  readonly idleMs: number;
  readonly telemetry: { readonly log: Pick<Logger, 'warn'>; readonly meter: Telemetry['meter'] };
}

interface Task<Job, Result> {
  readonly job: Job;
  readonly context: JobContext;
  readonly limitMs: number;
  readonly done: PromiseWithResolvers<Result>;
}

interface WorkerSlot<Job, Result> {
  worker: Worker<Job, Result> | undefined;
  idle: NodeJS.Timeout | undefined;
  busy: boolean;
}

export function createWorkerPool<Job, Result>(options: WorkerPoolOptions<Job, Result>): WorkerPool<Job, Result> {
  const { name, launch, size, idleMs, telemetry } = options;
  const waiting = jobQueue<Task<Job, Result>>();
  const workers: WorkerSlot<Job, Result>[] = Array.from({ length: size }, () => ({
    worker: undefined,
    idle: undefined,
    busy: false,
  }));
  const gone = new Set<Promise<string>>();
  const duration = telemetry.meter.createHistogram('parley_speech_job_duration_seconds', { unit: 's' });
  let stopped = false;
  const logFailure = (error: unknown) => telemetry.log.warn({ err: error, worker: name }, 'worker pool failed');

  function next(): void {
    // A worker that already runs comes before one that would have to load its model first.
    const free = workers.filter(({ busy }) => !busy).sort((a, b) => Number(!a.worker) - Number(!b.worker));
    for (const slot of free) {
      const task = waiting.take();
      if (!task) return;
      slot.busy = true;
      work(slot, task)
        .finally(() => {
          slot.busy = false;
          if (slot.worker) slot.idle = setTimeout(release, idleMs, slot).unref();
          next();
        })
        .catch(logFailure);
    }
  }

  async function work(slot: WorkerSlot<Job, Result>, { job, limitMs, done }: Task<Job, Result>): Promise<void> {
    clearTimeout(slot.idle);
    const started = performance.now();
    let late: NodeJS.Timeout | undefined;
    try {
      const worker = (slot.worker ??= await startWorker(slot));
      late = setTimeout(() => worker.end(), limitMs);
      done.resolve(await worker.run(job));
    } catch (error) {
      if (error instanceof WorkerLost && !stopped)
        telemetry.log.warn({ err: error, worker: name }, 'a worker was lost');
      if (error instanceof WorkerLost) slot.worker = undefined;
      done.reject(error);
    } finally {
      clearTimeout(late);
      duration.record((performance.now() - started) / 1000, { worker: name });
    }
  }

  async function startWorker(slot: WorkerSlot<Job, Result>): Promise<Worker<Job, Result>> {
    const worker = await launch();
    gone.add(worker.ended);
    worker.ended
      .then(() => {
        gone.delete(worker.ended);
        if (slot.worker === worker) slot.worker = undefined;
      })
      .catch(logFailure);
    if (stopped) worker.end();
    return worker;
  }

  function release(slot: WorkerSlot<Job, Result>): void {
    slot.worker?.end();
    slot.worker = undefined;
  }

  return {
    async run(job, limitMs, context) {
      const { signal } = context;
      signal.throwIfAborted();
      if (stopped) throw new WorkerLost('the service stops');
      const task = { job, context, limitMs, done: Promise.withResolvers<Result>() };
      const leave = () => {
        waiting.remove(task);
        task.done.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(task);
      next();
      try {
        return await task.done.promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    async stop() {
      stopped = true;
      for (const { done } of waiting.drain()) done.reject(new WorkerLost('the service stops'));
      for (const slot of workers) {
        clearTimeout(slot.idle);
        release(slot);
      }
      await Promise.all(gone);
    },
  };
}

/** Jobs that wait. */
interface JobQueue<Task> {
  push(task: Task): void;
  /** The next one: by priority, then of the company that was served longest ago, then in order of arrival. */
  take(): Task | undefined;
  /** Removes a cancelled task. */
  remove(task: Task): void;
  /** Takes all of them out. */
  drain(): readonly Task[];
}

/** More companies than have work at any one time. */
const SERVED_MAX = 1000;

/** Lets companies take turns, so that one with a thousand jobs delays another by one job at most. */
export function jobQueue<
  Task extends { readonly context: Pick<JobContext, 'companyId' | 'priority'> },
>(): JobQueue<Task> {
  const waiting: Task[] = [];
  /** When a company was served last, as a count. */
  const served = new LRUCache<string, number>({ max: SERVED_MAX });
  let count = 0;

  const isBefore = ({ context: a }: Task, { context: b }: Task) =>
    a.priority === b.priority
      ? (served.peek(a.companyId) ?? 0) < (served.peek(b.companyId) ?? 0)
      : a.priority > b.priority;

  function remove(task: Task): void {
    const index = waiting.indexOf(task);
    if (index !== -1) waiting.splice(index, 1);
  }

  return {
    push: (task) => void waiting.push(task),
    remove,
    drain: () => waiting.splice(0),
    take() {
      if (waiting.length === 0) return undefined;
      const next = waiting.reduce((best, task) => (isBefore(task, best) ? task : best));
      remove(next);
      const { companyId } = next.context;
      served.set(companyId, (count += 1));
      return next;
    },
  };
}
