import { type AnswerMessage, WorkerLost } from './worker.ts';

/** Pairs answers with the jobs they belong to. */
export interface Answers<Result> {
  /** A number for the next job and the promise of its answer. */
  next(): { id: number; answer: Promise<Result> };
  take(message: AnswerMessage<Result>): void;
  /** No further answers will arrive. */
  lose(reason: string): void;
}

export function pairAnswers<Result>(): Answers<Result> {
  const open = new Map<number, PromiseWithResolvers<Result>>();
  let last = 0;
  let lost: string | undefined;
  return {
    next() {
      const waiting = Promise.withResolvers<Result>();
      const id = (last += 1);
      if (lost === undefined) open.set(id, waiting);
      else waiting.reject(new WorkerLost(lost));
      return { id, answer: waiting.promise };
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
