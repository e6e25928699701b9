import type { Logger, Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import { type JobContext, PRIORITY } from './serve-jobs.ts';
import { type Worker, WorkerLost } from './worker.ts';

/** Workers of one kind and the jobs that wait for them. */
export interface WorkerPool<Job, Result> {
  /**
   * Does a job when its turn comes; companies take turns. Jobs are small, so one that is in progress when the signal aborts
   * runs to its end, unless its worker can stop it, and its result is discarded; one that takes longer than `limitMs` is ended
   * together with its worker.
   */
  run(job: Job, limitMs: number, context: JobContext): Promise<Result>;
  /** Loads this many workers and keeps them without work as well, until it is called with fewer. Resolves when they are loaded. */
  keepLoaded(count: number): Promise<void>;
  /** Whether a worker is loaded, so that a job is done at once when its turn comes; if none is, one begins to load. */
  startLoading(): boolean;
  stop(): Promise<void>;
}

export interface WorkerPoolOptions<Job, Result> {
  readonly name: string;
  readonly launch: () => Promise<Worker<Job, Result>>;
  readonly size: number;
  /** A worker without work is ended after this time, and its memory with it. */
  readonly idleMs: number;
  /** How many jobs of one company may be in progress at once; all of them when absent. */
  readonly perCompanyMax?: number;
  /** How many jobs that no caller waits for may be in progress at once; all of them when absent. */
  readonly withoutCallerMax?: number;
  /** A small job that has its worker load everything. */
  readonly warmUp?: Job;
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
  /** Its worker is being launched for `keepLoaded`. */
  loading: Promise<void> | undefined;
  idle: NodeJS.Timeout | undefined;
  busy: boolean;
}

/** A model loads in a second or two, on a busy machine in a minute. */
const LOAD_LIMIT_MS = 90_000;

export function createWorkerPool<Job, Result>(options: WorkerPoolOptions<Job, Result>): WorkerPool<Job, Result> {
  const { name, launch, size, idleMs, warmUp, telemetry } = options;
  const { perCompanyMax = Infinity, withoutCallerMax = Infinity } = options;
  const waiting = jobQueue<Task<Job, Result>>();
  const inProgress = new Map<string, number>();
  let withoutCaller = 0;
  const workers: WorkerSlot<Job, Result>[] = Array.from({ length: size }, () => ({
    worker: undefined,
    loading: undefined,
    idle: undefined,
    busy: false,
  }));
  const gone = new Set<Promise<string>>();
  /** Those that have done a job. */
  const loaded = new WeakSet<Worker<Job, Result>>();
  const duration = telemetry.meter.createHistogram('parley_speech_job_duration_seconds', { unit: 's' });
  let kept = 0;
  let stopped = false;
  const logFailure = (error: unknown) => telemetry.log.warn({ err: error, worker: name }, 'worker pool failed');

  const isAllowed = ({ context: { companyId, priority } }: Task<Job, Result>) =>
    (companyId === '' || (inProgress.get(companyId) ?? 0) < perCompanyMax) &&
    (priority === PRIORITY.call || withoutCaller < withoutCallerMax);

  function count({ companyId, priority }: JobContext, change: 1 | -1): void {
    if (priority !== PRIORITY.call) withoutCaller += change;
    const now = (inProgress.get(companyId) ?? 0) + change;
    if (now > 0) inProgress.set(companyId, now);
    else inProgress.delete(companyId);
  }

  function next(): void {
    // A worker that already runs, or will soon, comes before one that would have to load its model first.
    const isLoading = workers.some(({ loading }) => loading !== undefined);
    const free = workers
      .filter(({ busy, worker }) => !busy && (worker || !isLoading))
      .sort((a, b) => Number(!a.worker) - Number(!b.worker));
    for (const slot of free) {
      const task = waiting.take(isAllowed);
      if (!task) return;
      count(task.context, 1);
      occupy(
        slot,
        work(slot, task).finally(() => count(task.context, -1)),
      ).catch(logFailure);
    }
  }

  async function occupy(slot: WorkerSlot<Job, Result>, occupation: Promise<void>): Promise<void> {
    slot.busy = true;
    clearTimeout(slot.idle);
    try {
      await occupation;
    } finally {
      slot.busy = false;
      releaseLater(slot);
      next();
    }
  }

  async function work(
    slot: WorkerSlot<Job, Result>,
    { job, context, limitMs, done }: Task<Job, Result>,
  ): Promise<void> {
    const started = performance.now();
    try {
      done.resolve(await runOn(slot, job, limitMs, context.signal));
    } catch (error) {
      done.reject(error);
    } finally {
      duration.record((performance.now() - started) / 1000, { worker: name });
    }
  }

  async function runOn(
    slot: WorkerSlot<Job, Result>,
    job: Job,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<Result> {
    let late: NodeJS.Timeout | undefined;
    try {
      const worker = (slot.worker ??= await startWorker(slot));
      signal?.throwIfAborted();
      late = setTimeout(() => worker.end(), limitMs);
      const result = await worker.run(job, signal);
      loaded.add(worker);
      return result;
    } catch (error) {
      if (error instanceof WorkerLost && !stopped)
        telemetry.log.warn({ err: error, worker: name }, 'a worker was lost');
      if (error instanceof WorkerLost) slot.worker = undefined;
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  async function startWorker(slot: WorkerSlot<Job, Result>): Promise<Worker<Job, Result>> {
    const worker = await launch();
    gone.add(worker.ended);
    worker.ended
      .then(() => {
        gone.delete(worker.ended);
        if (slot.worker !== worker) return undefined;
        slot.worker = undefined;
        // One that ends while it loads is busy: it is not launched again and again.
        return !slot.busy && !stopped && loadedCount() < kept ? load(slot) : undefined;
      })
      .catch(logFailure);
    if (stopped) worker.end();
    return worker;
  }

  /** One that does not load is launched again by the next job. */
  function load(slot: WorkerSlot<Job, Result>): Promise<void> {
    const loading = async () => {
      if (warmUp === undefined) slot.worker ??= await startWorker(slot);
      else await runOn(slot, warmUp, LOAD_LIMIT_MS);
    };
    return (slot.loading = occupy(slot, loading()).finally(() => (slot.loading = undefined)));
  }

  function releaseLater(slot: WorkerSlot<Job, Result>): void {
    clearTimeout(slot.idle);
    if (slot.worker) slot.idle = setTimeout(releaseUnlessKept, idleMs, slot).unref();
  }

  function loadedCount(): number {
    return workers.filter(({ worker }) => worker).length;
  }

  function releaseUnlessKept(slot: WorkerSlot<Job, Result>): void {
    if (loadedCount() > kept) release(slot);
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
    async keepLoaded(wanted) {
      if (stopped && wanted > 0) throw new WorkerLost('the service stops');
      if (wanted < kept) for (const slot of workers) if (!slot.busy) releaseLater(slot);
      kept = Math.min(wanted, size);
      const loadedFirst = workers.toSorted((a, b) => Number(!a.worker && !a.busy) - Number(!b.worker && !b.busy));
      const cold = (slot: WorkerSlot<Job, Result>) => !slot.worker && !slot.busy;
      await Promise.all(loadedFirst.slice(0, kept).map(async (slot) => (cold(slot) ? load(slot) : slot.loading)));
    },
    startLoading() {
      if (workers.some(({ worker }) => worker && loaded.has(worker))) return true;
      const [first] = workers;
      if (first && !stopped && !workers.some(({ busy }) => busy)) load(first).catch(logFailure);
      return false;
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
  /** The next one that is allowed: by priority, then of the company that was served longest ago, then in order of arrival. */
  take(isAllowed?: (task: Task) => boolean): Task | undefined;
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
    take(isAllowed = () => true) {
      const allowed = waiting.filter(isAllowed);
      if (allowed.length === 0) return undefined;
      const next = allowed.reduce((best, task) => (isBefore(task, best) ? task : best));
      remove(next);
      const { companyId } = next.context;
      served.set(companyId, (count += 1));
      return next;
    },
  };
}
