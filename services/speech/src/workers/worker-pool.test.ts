import { describe, expect, it, jest } from '@jest/globals';
import { startTelemetry } from '@parley/telemetry';
import { type JobPriority, PRIORITY } from './serve-jobs.ts';
import { createWorkerPool, jobQueue } from './worker-pool.ts';
import { type Worker, WorkerLost } from './worker.ts';

/** A worker whose results the test defines. */
class TestWorker implements Worker<string, string> {
  readonly jobs: { job: string; result: PromiseWithResolvers<string> }[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #end = Promise.withResolvers<string>();
  readonly ended = this.#end.promise;

  run(job: string, signal?: AbortSignal): Promise<string> {
    const result = Promise.withResolvers<string>();
    this.jobs.push({ job, result });
    if (signal) this.signals.push(signal);
    return result.promise;
  }

  end(): void {
    this.crash('SIGKILL');
  }

  crash(reason: string): void {
    for (const { result } of this.jobs) result.reject(new WorkerLost(reason));
    this.#end.resolve(reason);
  }

  finish(place: number): void {
    this.jobs[place]!.result.resolve(`${this.jobs[place]!.job} done`);
  }
}

const contextWith = (signal: AbortSignal) => ({ signal, companyId: '', priority: PRIORITY.background });
const never = contextWith(new AbortController().signal);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function aPool(
  options: { size?: number; idleMs?: number; perCompanyMax?: number; withoutCallerMax?: number; warmUp?: string } = {},
) {
  const workers: TestWorker[] = [];
  const pool = createWorkerPool<string, string>({
    name: 'test',
    size: options.size ?? 1,
    idleMs: options.idleMs ?? 60_000,
    ...(options.perCompanyMax !== undefined && { perCompanyMax: options.perCompanyMax }),
    ...(options.withoutCallerMax !== undefined && { withoutCallerMax: options.withoutCallerMax }),
    ...(options.warmUp !== undefined && { warmUp: options.warmUp }),
    telemetry: startTelemetry({ service: 'test', version: '0', logLevel: 'silent' }),
    launch: async () => {
      const worker = new TestWorker();
      workers.push(worker);
      return worker;
    },
  });
  return { pool, workers };
}

describe('a pool of workers', () => {
  it('a pool of workers gives a worker one job at a time, in the order they came', async () => {
    const { pool, workers } = aPool();
    const results = ['a', 'b'].map((job) => pool.run(job, 1000, never));
    await turn();
    expect(workers[0]!.jobs.map(({ job }) => job)).toEqual(['a']);
    workers[0]!.finish(0);
    await results[0];
    await turn();
    workers[0]!.finish(1);
    await expect(Promise.all(results)).resolves.toEqual(['a done', 'b done']);
    expect(workers).toHaveLength(1);
    await pool.stop();
  });

  it('a pool of workers uses as many workers as its size', async () => {
    const { pool, workers } = aPool({ size: 2 });
    const results = ['a', 'b', 'c'].map((job) => pool.run(job, 1000, never));
    await turn();
    expect(workers.map(({ jobs }) => jobs.length)).toEqual([1, 1]);
    workers[1]!.finish(0);
    await turn();
    expect(workers.map(({ jobs }) => jobs.length)).toEqual([1, 2]);
    workers[0]!.finish(0);
    workers[1]!.finish(1);
    await Promise.all(results);
    await pool.stop();
  });

  it('a pool of workers fails the job of a worker that crashes and does the next with a new one', async () => {
    const { pool, workers } = aPool();
    const lost = pool.run('a', 1000, never);
    const next = pool.run('b', 1000, never);
    await turn();
    workers[0]!.crash('SIGSEGV');
    await expect(lost).rejects.toThrow('SIGSEGV');
    await turn();
    workers[1]!.finish(0);
    await expect(next).resolves.toBe('b done');
    await pool.stop();
  });

  it('a pool of workers launches a new worker when an idle one has exited', async () => {
    const { pool, workers } = aPool();
    const first = pool.run('a', 1000, never);
    await turn();
    workers[0]!.finish(0);
    await first;
    workers[0]!.crash('SIGTERM');
    await turn();
    const second = pool.run('b', 1000, never);
    await turn();
    workers[1]!.finish(0);
    await expect(second).resolves.toBe('b done');
    await pool.stop();
  });

  it('a pool of workers ends a job that takes too long, and its worker', async () => {
    const { pool, workers } = aPool();
    await expect(pool.run('a', 20, never)).rejects.toBeInstanceOf(WorkerLost);
    await expect(workers[0]!.ended).resolves.toBe('SIGKILL');
    await pool.stop();
  });

  it('a pool of workers cancels a job before and after it started', async () => {
    const { pool, workers } = aPool();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const results = [
      pool.run('a', 1000, contextWith(running.signal)),
      pool.run('b', 1000, contextWith(waiting.signal)),
      pool.run('c', 1000, never),
    ];
    const outcomes = Promise.allSettled(results);
    await turn();
    waiting.abort(new Error('gone'));
    running.abort(new Error('gone'));
    await expect(results[0]).rejects.toThrow('gone');
    await expect(results[1]).rejects.toThrow('gone');
    workers[0]!.finish(0);
    await turn();
    expect(workers[0]!.jobs.map(({ job }) => job)).toEqual(['a', 'c']);
    workers[0]!.finish(1);
    await outcomes;
    await expect(results[2]).resolves.toBe('c done');
    await pool.stop();
  });

  it('a pool of workers ends a worker that had nothing to do for a while', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { pool, workers } = aPool({ idleMs: 5000 });
      const done = pool.run('a', 1000, never);
      await turn();
      workers[0]!.finish(0);
      await done;
      await turn();
      jest.advanceTimersByTime(5001);
      await expect(workers[0]!.ended).resolves.toBe('SIGKILL');
      await pool.stop();
    } finally {
      jest.useRealTimers();
    }
  });

  it('a pool of workers fails what waits when it is stopped, and takes nothing more', async () => {
    const { pool, workers } = aPool();
    const outcomes = Promise.allSettled(['a', 'b'].map((job) => pool.run(job, 1000, never)));
    await turn();
    await pool.stop();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(workers[0]!.ended).resolves.toBe('SIGKILL');
    await expect(pool.run('c', 1000, never)).rejects.toBeInstanceOf(WorkerLost);
  });

  it('a pool of workers tells a worker that its job is cancelled', async () => {
    const { pool, workers } = aPool();
    const caller = new AbortController();
    const running = pool.run('a', 1000, contextWith(caller.signal));
    await turn();
    expect(workers[0]!.signals[0]!.aborted).toBe(false);
    caller.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect(workers[0]!.signals[0]!.aborted).toBe(true);
    await pool.stop();
  });

  it('a pool of workers gives one company no more than its share, while others are served', async () => {
    const { pool, workers } = aPool({ size: 2, perCompanyMax: 1 });
    const ask = (job: string, companyId: string) => pool.run(job, 1000, { ...never, companyId });
    const results = [ask('a1', 'com_a'), ask('a2', 'com_a'), ask('b1', 'com_b'), ask('b2', 'com_b')];
    await turn();
    expect(workers.map(({ jobs }) => jobs.map(({ job }) => job))).toEqual([['a1'], ['b1']]);
    workers[1]!.finish(0);
    await turn();
    expect(workers[1]!.jobs.map(({ job }) => job)).toEqual(['b1', 'b2']);
    workers[0]!.finish(0);
    await turn();
    workers[0]!.finish(1);
    workers[1]!.finish(1);
    await expect(Promise.all(results)).resolves.toHaveLength(4);
    await pool.stop();
  });

  it('a pool of workers leaves one worker to callers, whatever waits', async () => {
    const { pool, workers } = aPool({ size: 2, withoutCallerMax: 1 });
    const ask = (job: string, priority: JobPriority) => pool.run(job, 1000, { ...never, companyId: job, priority });
    const jobs = () => workers.map((worker) => worker.jobs.map(({ job }) => job));
    const results = [ask('a', PRIORITY.background), ask('b', PRIORITY.interactive), ask('call', PRIORITY.call)];
    await turn();
    expect(jobs()).toEqual([['a'], ['call']]);
    workers[1]!.finish(0);
    await turn();
    expect(jobs()).toEqual([['a'], ['call']]);
    workers[0]!.finish(0);
    await turn();
    expect(jobs().flat()).toContain('b');
    workers.find((worker) => worker.jobs.at(-1)!.job === 'b')!.finish(1);
    await expect(Promise.all(results)).resolves.toHaveLength(3);
    await pool.stop();
  });

  it('a pool of workers does not limit the installation itself', async () => {
    const { pool, workers } = aPool({ size: 2, perCompanyMax: 1 });
    const results = ['a', 'b'].map((job) => pool.run(job, 1000, never));
    await turn();
    workers.forEach((worker) => worker.finish(0));
    await expect(Promise.all(results)).resolves.toHaveLength(2);
    await pool.stop();
  });

  it('a pool of workers tells whether one is loaded, and begins to load one if none is', async () => {
    const { pool, workers } = aPool({ size: 2, warmUp: 'warm' });
    expect([pool.startLoading(), pool.startLoading()]).toEqual([false, false]);
    await turn();
    expect(workers.map(({ jobs }) => jobs.map(({ job }) => job))).toEqual([['warm']]);
    workers[0]!.finish(0);
    await turn();
    expect(pool.startLoading()).toBe(true);
    workers[0]!.crash('SIGKILL');
    await turn();
    expect(pool.startLoading()).toBe(false);
    await turn();
    expect(workers[1]!.jobs.map(({ job }) => job)).toEqual(['warm']);
    await pool.stop();
    expect(pool.startLoading()).toBe(false);
    expect(workers).toHaveLength(2);
  });

  it('a pool of workers loads workers ahead, and only as many as are not loaded', async () => {
    const { pool, workers } = aPool({ size: 3, warmUp: 'warm' });
    const one = pool.keepLoaded(1);
    const two = pool.keepLoaded(2);
    await turn();
    expect(workers.map(({ jobs }) => jobs[0]!.job)).toEqual(['warm', 'warm']);
    let isLoaded = false;
    const loaded = two.then(() => (isLoaded = true));
    workers[0]!.finish(0);
    await one;
    await turn();
    expect(isLoaded).toBe(false);
    const waiting = pool.run('a', 1000, never);
    await turn();
    expect(workers[0]!.jobs[1]!.job).toBe('a');
    workers[0]!.finish(1);
    workers[1]!.finish(0);
    await Promise.all([loaded, waiting]);
    await pool.keepLoaded(2);
    expect(workers).toHaveLength(2);
    await pool.stop();
  });

  it('a pool of workers has jobs wait for a worker that is being loaded', async () => {
    const { pool, workers } = aPool({ size: 2, warmUp: 'warm' });
    const loaded = pool.keepLoaded(1);
    const done = pool.run('a', 1000, never);
    await turn();
    expect(workers.map(({ jobs }) => jobs.map(({ job }) => job))).toEqual([['warm']]);
    workers[0]!.finish(0);
    await loaded;
    await turn();
    workers[0]!.finish(1);
    await expect(done).resolves.toBe('a done');
    expect(workers).toHaveLength(1);
    await pool.stop();
  });

  it('a pool of workers keeps as many as are wanted without work, and ends the others', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { pool, workers } = aPool({ size: 2, idleMs: 5000 });
      await pool.keepLoaded(2);
      jest.advanceTimersByTime(60_000);
      expect(workers).toHaveLength(2);
      await pool.keepLoaded(1);
      jest.advanceTimersByTime(5001);
      const ended = await Promise.race([workers[0]!.ended.then(() => 0), workers[1]!.ended.then(() => 1)]);
      jest.advanceTimersByTime(60_000);
      await turn();
      const [left] = workers.filter((_, index) => index !== ended);
      const done = pool.run('a', 1000, never);
      await turn();
      left!.finish(0);
      await expect(done).resolves.toBe('a done');
      await pool.keepLoaded(0);
      jest.advanceTimersByTime(5001);
      await expect(left!.ended).resolves.toBe('SIGKILL');
      await pool.stop();
    } finally {
      jest.useRealTimers();
    }
  });

  it('a pool of workers loads a worker again that is kept and has ended, but not one that does not load', async () => {
    const { pool, workers } = aPool({ warmUp: 'warm' });
    const first = pool.keepLoaded(1);
    await turn();
    workers[0]!.finish(0);
    await first;
    await turn();
    workers[0]!.crash('SIGKILL');
    await turn();
    expect(workers).toHaveLength(2);
    workers[1]!.crash('out of memory');
    await turn();
    await turn();
    expect(workers).toHaveLength(2);
    const again = pool.keepLoaded(1);
    await turn();
    workers[2]!.crash('out of memory');
    await expect(again).rejects.toThrow('out of memory');
    await pool.stop();
  });

  it('a pool of workers reports why a worker could not be launched', async () => {
    const pool = createWorkerPool<string, string>({
      name: 'test',
      size: 1,
      idleMs: 1000,
      telemetry: startTelemetry({ service: 'test', version: '0', logLevel: 'silent' }),
      launch: async () => {
        throw new Error('no model');
      },
    });
    await expect(pool.run('a', 1000, never)).rejects.toThrow('no model');
    await expect(pool.run('b', 1000, never)).rejects.toThrow('no model');
  });
});

interface Task {
  readonly name: string;
  readonly context: { readonly companyId: string; readonly priority: JobPriority };
}

const task = (name: string, companyId = name[0] ?? '', priority: JobPriority = PRIORITY.background): Task => ({
  name,
  context: { companyId, priority },
});

function order(...tasks: Task[]): string[] {
  const queue = jobQueue<Task>();
  for (const one of tasks) queue.push(one);
  return tasks.map(() => queue.take()?.name ?? '');
}

describe('a fair queue', () => {
  it('a fair queue lets companies take turns, each in order of arrival', () => {
    expect(order(task('a1'), task('a2'), task('a3'), task('b1'), task('b2'), task('c1'))).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
    ]);
  });

  it('a fair queue takes a company that was never served before all others', () => {
    const queue = jobQueue<Task>();
    for (let index = 0; index < 100; index++) queue.push(task(`a${index}`));
    expect(queue.take()?.name).toBe('a0');
    queue.push(task('b0'));
    expect(queue.take()?.name).toBe('b0');
    expect(queue.take()?.name).toBe('a1');
  });

  it('a fair queue puts calls before interactive requests, and those before background work', () => {
    expect(
      order(task('a1'), task('b1', 'b', PRIORITY.interactive), task('a2', 'a', PRIORITY.call), task('c1')),
    ).toEqual(['a2', 'b1', 'c1', 'a1']);
  });

  it('a fair queue drops removed tasks, and is empty in the end', () => {
    const queue = jobQueue<Task>();
    const gone = task('a1');
    queue.push(gone);
    queue.push(task('a2'));
    queue.remove(gone);
    queue.remove(gone);
    expect(queue.drain().map(({ name }) => name)).toEqual(['a2']);
    expect(queue.take()).toBeUndefined();
  });
});
