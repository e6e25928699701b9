import { decided } from '@parley/errors';
import { waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { newTask, note, startTasks, type Task, type TaskCommand, type Tasks } from './start-tasks.ts';
import { type CommandHandlers, type CommandOptions } from '../src/commands/command-handlers.ts';

export let fixture: Awaited<ReturnType<typeof startTasks>>;
export let tasks: Tasks;
let backgroundWork: Awaited<ReturnType<typeof fixture.startProcess>>['backgroundWork'];
let running: { stop(): Promise<void> }[];

/** Called once in a test file: starts the outbox, and a new process for each test. */
export function useCommandFixture(): void {
  beforeAll(async () => void (fixture = await startTasks()));
  beforeEach(async () => {
    running = [];
    executed = [];
    fixture.clock.setOffsetMs(0);
    await fixture.db.collection('tasks').deleteMany({});
    ({ tasks, backgroundWork } = await fixture.startProcess());
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await fixture.stopProcesses();
  });
  afterAll(() => fixture.end());
}

type Results = { mail: string; dial: string; play: string };
export type Handlers = CommandHandlers<Task, 'changed', TaskCommand, 'first' | 'second' | 'failing', Results>;
export let executed: string[];
export const outcomeOf = (result: string | { unknown: true }) => (typeof result === 'string' ? result : 'unknown');
/** Mail is idempotent and repeated until it is confirmed, a call is dialled at most once, a file is played beside the rest. */
export const handlers: Handlers = {
  mail: {
    guarantee: 'until_confirmed',
    execute: async ({ text }) => (executed.push(text), `mailed ${text}`),
    settle: (task, _mail, result) => note(task, outcomeOf(result)),
  },
  dial: {
    guarantee: 'at_most_once',
    execute: async ({ number }) => (executed.push(number), `dialled ${number}`),
    settle: (task, { number }, result) => note(task, `${number}: ${outcomeOf(result)}`),
  },
  play: {
    guarantee: 'until_confirmed',
    unordered: true,
    execute: async ({ file }) => (executed.push(file), `played ${file}`),
    settle: (task, _play, result) => note(task, outcomeOf(result)),
  },
};
export const start = (some: Partial<Handlers> = {}, of: Tasks = tasks, options: CommandOptions = {}) => {
  const commands = of.startCommands<Results>({ ...handlers, ...some }, options);
  running.push(commands);
  return commands;
};
export const mail = (text: string): TaskCommand => ({ kind: 'mail', text });
export const dial = (number: string): TaskCommand => ({ kind: 'dial', number });
export const play = (file: string): TaskCommand => ({ kind: 'play', file });
export const create = async (commands: readonly TaskCommand[], details: Partial<Task> = {}, by: Tasks = tasks) => {
  const task = newTask(details);
  await by.of(task.companyId).create(decided(task, ['changed'], { commands }));
  return task;
};
export const notesOf = async ({ id, companyId }: Task) => (await tasks.of(companyId).get(id))?.notes;
export const pending = async ({ id }: Task) =>
  ((await fixture.stored(id))?.['_commands'] as unknown[] | undefined)?.length ?? 0;
export const done = (...all: Task[]) =>
  waitUntil(async () => (await fixture.countWithCommands(all.map(({ id }) => id))) === 0, {
    what: 'the commands to be settled',
  });
export const settled = () =>
  waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'all to be done' });
export const advance = async (ms: number) => {
  fixture.clock.setOffsetMs(fixture.clock.offsetMs() + ms);
  await fixture.clock.moved();
  await settled();
};
/** An execution that records its start and ends on request. */
export function controlled<T>(result: T) {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    release: release.resolve,
    execute: async () => {
      begun.resolve();
      await release.promise;
      return result;
    },
  };
}
