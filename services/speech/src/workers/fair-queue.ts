import type { JobContext } from './job-context.ts';

/** Jobs that wait. */
export interface FairQueue<Task> {
  push(task: Task): void;
  /** The next one: by priority, then of the company that was served longest ago, then in order of arrival. */
  take(): Task | undefined;
  /** Removes a cancelled task. */
  remove(task: Task): void;
  /** Takes all of them out. */
  drain(): readonly Task[];
}

/** Maximum number of companies in the queue; more than have work at any one time. */
const SERVED_MAX = 1000;

/** Lets companies take turns, so that one with a thousand jobs delays another by one job at most. */
export function fairQueue<
  Task extends { readonly context: Pick<JobContext, 'companyId' | 'priority'> },
>(): FairQueue<Task> {
  const waiting: Task[] = [];
  /** Company to when it was served, in that order: a map keeps the order of insertion. */
  const served = new Map<string, number>();
  let count = 0;

  const isBefore = ({ context: a }: Task, { context: b }: Task) =>
    a.priority === b.priority
      ? (served.get(a.companyId) ?? 0) < (served.get(b.companyId) ?? 0)
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
      served.delete(companyId);
      served.set(companyId, (count += 1));
      const [oldest] = served.keys();
      if (served.size > SERVED_MAX && oldest !== undefined) served.delete(oldest);
      return next;
    },
  };
}
