import { fairQueue } from '@parley/queues';
import type { AggregateQueue } from './aggregate-queue.ts';

export interface QueueRunner {
  /** Works on an idle queue as soon as a worker is free. */
  schedule(queue: AggregateQueue): void;
}

/** Works on queues, each by one worker at a time, companies in turn. `work` never rejects, and sets the queue's next state. */
export function queueRunner(workersMax: number, work: (queue: AggregateQueue) => Promise<void>): QueueRunner {
  const ready = fairQueue<AggregateQueue>();
  let workers = 0;

  function startWorkers(): void {
    while (workers < workersMax) {
      const queue = ready.take();
      if (!queue) return;
      if (queue.state !== 'scheduled') continue;
      workers += 1;
      queue.state = 'running';
      queue.work = work(queue).finally(() => {
        workers -= 1;
        startWorkers();
      });
    }
  }

  return {
    schedule(queue) {
      if (queue.state !== 'idle') return;
      queue.state = 'scheduled';
      ready.add(queue.companyId, queue);
      // What arrives with its first event is applied with it.
      queueMicrotask(startWorkers);
    },
  };
}
