import { LRUCache } from 'lru-cache';
import type { JobContext } from './job-context.ts';

/** Jobs that wait. */
export interface JobQueue<Task> {
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
