/** Something beside the event loop that does one job at a time: a child process or a thread. */
export interface Worker<Job, Result> {
  /** Rejects with the worker's error, or with `WorkerLost` when it ended before it answered. */
  run(job: Job): Promise<Result>;
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

/** The messages to and from a worker. */
export interface JobMessage<Job> {
  readonly id: number;
  readonly job: Job;
}

export type ResultMessage<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly problem: string };
