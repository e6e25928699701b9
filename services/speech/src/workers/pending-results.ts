import { type ResultMessage, WorkerLost } from './worker.ts';

/** Pairs results with their jobs. */
export interface PendingResults<Result> {
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
