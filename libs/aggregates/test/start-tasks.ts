import { type MovableClock, movableClock } from '@parley/clock';
import { type Decision, decided } from '@parley/errors';
import { newId } from '@parley/secrets';
import type { Db } from 'mongodb';
import { type Aggregates, openAggregates } from '../src/index.ts';
import { type Outbox, startOutbox } from './start-outbox.ts';

/** An aggregate for tests: it notes everything that happens to it. */
export interface Task {
  readonly id: string;
  readonly companyId: string;
  readonly notes: readonly string[];
  readonly slot?: string;
}

export type TaskEvent = 'changed';
export type TaskTimer = 'first' | 'second' | 'failing';
export type TaskCommand =
  | { readonly kind: 'mail'; readonly text: string }
  | { readonly kind: 'dial'; readonly number: string }
  | { readonly kind: 'play'; readonly file: string };
export type Tasks = Aggregates<Task, TaskEvent, TaskCommand, TaskTimer>;
export type TaskDecision = Decision<Task | null, TaskEvent, TaskCommand, TaskTimer>;

export const newTask = (details: Partial<Task> = {}): Task => ({
  id: newId('tsk'),
  companyId: 'com_1',
  notes: [],
  ...details,
});

export const noted = (task: Task, ...notes: string[]): Task => ({ ...task, notes: [...task.notes, ...notes] });

/** A note with an event. */
export const note = (task: Task, what: string): TaskDecision => decided(noted(task, what), ['changed']);

/** A database with tasks, and processes that execute their commands and timers. */
export async function startTasks() {
  const outbox: Outbox = await startOutbox();
  const clock: MovableClock = movableClock();
  let processes: (() => Promise<void>)[] = [];

  /**
   * `db`: of a process that ends before the others. Processes of another `collection` have nothing to do with the tasks of this one.
   * `restoredAt`: when the database was restored.
   */
  async function startProcess(
    db: Db = outbox.db,
    collection = 'tasks',
    restoredAt?: Date,
  ): Promise<{ tasks: Tasks; backgroundWork: Outbox['backgroundWork']; stop(): Promise<void> }> {
    const { relay, backgroundWork, stop } = await outbox.startReplica();
    processes.push(stop);
    const tasks = await openAggregates<Task, TaskEvent, TaskCommand, TaskTimer>({
      db,
      collection,
      relay: { ...relay, restoredAt },
      clock,
      recentMax: 100,
      encode: (event) => ({ type: `directory.task.${event}`, data: new TextEncoder().encode(event) }),
      indexes: [{ name: 'slot', key: { slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } }],
    });
    return { tasks, backgroundWork, stop };
  }

  return {
    ...outbox,
    clock,
    startProcess,
    async stopProcesses() {
      const stopping = processes;
      processes = [];
      await Promise.all(stopping.map((stop) => stop()));
    },
    countWithCommands: (ids: readonly string[]) =>
      outbox.db
        .collection<{ _id: string }>('tasks')
        .countDocuments({ _id: { $in: [...ids] }, '_commands.0': { $exists: true } }),
    /** The stored document, including bookkeeping. */
    stored: (id: string, collection = 'tasks') =>
      outbox.db.collection<Record<string, unknown> & { _id: string }>(collection).findOne({ _id: id }),
  };
}
