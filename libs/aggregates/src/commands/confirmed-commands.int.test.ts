import { decided } from '@parley/errors';
import { crashingDb, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newTask, note, noted, startTasks, type Task, type TaskCommand, type Tasks } from '../../test/start-tasks.ts';

let fixture: Awaited<ReturnType<typeof startTasks>>;
let tasks: Tasks;
let running: { stop(): Promise<void> }[];
/** The executed commands, in order. */
let executed: string[];
/** Waited for by an execution that has begun. */
let onExecuted: (text: string) => Promise<void> | void;

beforeAll(async () => void (fixture = await startTasks()));
beforeEach(async () => {
  running = [];
  executed = [];
  onExecuted = () => undefined;
  await fixture.db.collection('tasks').deleteMany({});
  ({ tasks } = await fixture.startProcess());
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await fixture.stopProcesses();
});
afterAll(() => fixture.end());

/** Nothing follows from mail, but from dialling. */
function start(of: Tasks = tasks, leaseMs = 15_000): { stop(): Promise<void> } {
  const commands = of.startCommands<{ mail: string; dial: string; play: string }>(
    {
      mail: {
        guarantee: 'until_confirmed',
        async execute({ text }) {
          executed.push(text);
          await onExecuted(text);
          return text;
        },
        needsSettling: () => false,
        settle: (task) => note(task, 'mail settled'),
      },
      dial: {
        guarantee: 'until_confirmed',
        execute: async ({ number }) => (executed.push(number), number),
        needsSettling: () => true,
        settle: (task, { number }) => note(task, `${number} settled`),
      },
      play: { guarantee: 'until_confirmed', execute: async ({ file }) => (executed.push(file), file) },
    },
    { leaseMs },
  );
  running.push(commands);
  return commands;
}

const order = (task: Task, commands: readonly TaskCommand[]) => decided(noted(task, 'ordered'), [], { commands });
const mail = (text: string): TaskCommand => ({ kind: 'mail', text });
const create = async (...commands: TaskCommand[]) => {
  const task = newTask();
  await tasks.of('com_1').create(order(task, commands));
  return task.id;
};
const versionOf = async (id: string) => (await fixture.stored(id))?.['_version'];
const commandsOf = async (id: string) => (await fixture.stored(id))?.['_commands'] ?? [];
const isDone = (...all: string[]) =>
  waitUntil(() => all.every((one) => executed.includes(one)), { what: 'the commands' });
const isEmpty = (id: string) =>
  waitUntil(async () => (await fixture.stored(id))?.['_takeAt'] === undefined, { what: 'the removal' });

describe('a command from which nothing follows', () => {
  it('a command from which nothing follows is removed by the next write of its aggregate, which executes what that one orders at once', async () => {
    const [begun, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onExecuted = (text) => (text === 'one' ? begun.resolve() : looked.promise);
    start();
    const id = await create(mail('one'));
    await begun.promise;
    // Its result is known then; a write of its own would remove it a while later.
    await new Promise(setImmediate);
    await tasks.of('com_1').change(id, (task) => order(task, [mail('two')]));
    await isDone('two');
    expect(await versionOf(id)).toBe(2);
    expect(await commandsOf(id)).toMatchObject([{ payload: { text: 'two' } }]);
    looked.resolve();
    await isEmpty(id);
    expect(executed).toEqual(['one', 'two']);
  });

  it('a command from which nothing follows is removed soon without one, and settles nothing', async () => {
    start();
    const id = await create(mail('one'));
    await isEmpty(id);
    expect(await commandsOf(id)).toEqual([]);
    expect((await tasks.of('com_1').get(id))?.notes).toEqual(['ordered']);
    expect(executed).toEqual(['one']);
  });

  it('a command from which nothing follows delays no command that was issued with it or during its execution', async () => {
    start();
    const id = await create(mail('one'), { kind: 'dial', number: 'two' }, mail('three'));
    await tasks.of('com_1').change(id, (task) => order(task, [mail('four')]));
    await isDone('four');
    await isEmpty(id);
    expect(executed).toEqual(['one', 'two', 'three', 'four']);
    expect((await tasks.of('com_1').get(id))?.notes).toContain('two settled');
  });

  it('a command from which nothing follows is removed when the process stops', async () => {
    const commands = start();
    const id = await create(mail('one'));
    await isDone('one');
    await commands.stop();
    expect(await commandsOf(id)).toEqual([]);
  });

  it('a command from which nothing follows is executed again by another process when its own crashed before it was removed', async () => {
    // The first write is the one that orders it.
    const mortal = crashingDb(fixture.db, 2, 'before');
    const { tasks: dying } = await fixture.startProcess(mortal.db);
    start(dying, 300);
    const task = newTask();
    await dying.of('com_1').create(order(task, [mail('one')]));
    await waitUntil(() => mortal.isDead(), { what: 'its death' });
    start(tasks, 300);
    await waitUntil(() => executed.length === 2, { what: 'the second execution' });
    await isEmpty(task.id);
    expect(executed).toEqual(['one', 'one']);
  });

  it('a command from which nothing follows is removed once by two processes that write its aggregate in turn', async () => {
    start();
    const { tasks: others } = await fixture.startProcess();
    start(others);
    const id = await create(mail('one'));
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const by = number % 2 ? others : tasks;
      await by.of('com_1').change(id, (task) => order(task, [mail(`by turns ${number}`)]));
    }
    await isEmpty(id);
    expect(executed.toSorted()).toEqual([
      'by turns 1',
      'by turns 2',
      'by turns 3',
      'by turns 4',
      'by turns 5',
      'by turns 6',
      'one',
    ]);
  });
});
