import { decided, dueIn } from '@parley/errors';
import { type CrashMoment, crashingDb, waitUntil } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { numbers } from '../../test/start-outbox.ts';
import { newTask, note, noted, startTasks, type Task, type Tasks } from '../../test/start-tasks.ts';

/** Short, so that a test does not wait long for what a dead process held. */
const LEASE_MS = 500;
let fixture: Awaited<ReturnType<typeof startTasks>>;
const stops: (() => Promise<unknown>)[] = [];
/** The number of executions per command, across all processes. */
const received = new Map<string, number>();

beforeAll(async () => void (fixture = await startTasks()));
afterAll(async () => {
  await Promise.allSettled(stops.map((stop) => stop()));
  await fixture.stopProcesses();
  await fixture.end();
});

function run(tasks: Tasks, isDead: () => boolean): void {
  const receive = async (what: string) => {
    if (isDead()) throw new Error('the process is dead');
    received.set(what, (received.get(what) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    return what;
  };
  const outcomeOf = (result: string | { unknown: true }) => (typeof result === 'string' ? 'done' : 'unknown');
  const commands = tasks.startCommands<{ mail: string; dial: string; play: string }>(
    {
      mail: {
        guarantee: 'until_confirmed',
        execute: ({ text }) => receive(text),
        settle: (task, { text }, result) => note(task, `${text} ${outcomeOf(result)}`),
      },
      dial: {
        guarantee: 'at_most_once',
        execute: ({ number }) => receive(number),
        settle: (task, { number }, result) => note(task, `${number} ${outcomeOf(result)}`),
      },
      play: {
        guarantee: 'at_most_once',
        unordered: true,
        execute: ({ file }) => receive(file),
        settle: (task, { file }, result) => note(task, `${file} ${outcomeOf(result)}`),
      },
    },
    { leaseMs: LEASE_MS },
  );
  const timers = tasks.startTimers({
    first: (task) => note(task, 'timer'),
    second: (task) => note(task, 'timer'),
    failing: (task) => note(task, 'timer'),
  });
  stops.push(
    () => commands.stop(),
    () => timers.stop(),
  );
}

/** Commands of both guarantees, and a timer. */
function plan(task: Task) {
  const name = (what: string) => `${task.id} ${what}`;
  return decided(noted(task, 'planned'), ['changed'] as const, {
    commands: [
      { kind: 'mail', text: name('mail 1') },
      { kind: 'dial', number: name('dial 2') },
      { kind: 'play', file: name('play 3') },
      { kind: 'mail', text: name('mail 4') },
    ] as const,
    timers: { first: dueIn(fixture.clock.now(), 20) },
  });
}

/** Events are not waited for: what becomes of them is tested with the relay. */
const isDone = async (id: string, collection: string) => {
  const stored = await fixture.stored(id, collection);
  return stored?.['_dueAt'] === undefined && stored?.['_takeAt'] === undefined;
};

async function expectKept(survivor: Tasks, { id }: Task): Promise<void> {
  const notes = (await survivor.of('com_1').get(id))!.notes.map((one) => one.replace(`${id} `, ''));
  const about = (what: string) => notes.filter((one) => one.startsWith(what));
  expect(about('timer')).toHaveLength(1);
  for (const what of ['mail 1', 'dial 2', 'play 3', 'mail 4']) {
    expect([what, about(what).length]).toEqual([what, 1]);
    const times = received.get(`${id} ${what}`) ?? 0;
    const guaranteed = what.startsWith('mail') ? times >= 1 : times <= 1;
    expect([what, times, guaranteed]).toEqual([what, times, true]);
    // Known to be done only if it was.
    if (about(what)[0] === `${what} done`) expect([what, times > 0]).toEqual([what, true]);
  }
  expect(notes.filter((one) => /^(mail|dial)/.test(one)).map((one) => one.split(' ')[1])).toEqual(['1', '2', '4']);
}

describe('a process that crashes', () => {
  const moments = numbers(7).flatMap((write) => (['before', 'after'] as const).map((death) => [death, write] as const));
  // At once, each with its own collection: nearly all of the time is that until another process polls.
  it.concurrent.each(moments)(
    'a process that crashes %s its write %i leaves nothing undone and does nothing twice',
    async (death: CrashMoment, write) => {
      const task = newTask();
      const collection = `tasks_${death}_${write}`;
      const survivor = await fixture.startProcess(fixture.db, collection);
      await survivor.tasks.of('com_1').create(decided(task));
      const mortal = crashingDb(fixture.db, write, death);
      const { tasks } = await fixture.startProcess(mortal.db, collection);
      run(tasks, mortal.isDead);
      // A client without a response repeats the request at another replica.
      await tasks
        .of('com_1')
        .change(task.id, plan)
        .catch(() => undefined);
      run(survivor.tasks, () => false);
      await survivor.tasks
        .of('com_1')
        .change(task.id, (current) => (current.notes.includes('planned') ? decided(current) : plan(current)));
      await waitUntil(() => isDone(task.id, collection), { what: 'everything to be done' });
      await expectKept(survivor.tasks, task);
    },
  );

  it.concurrent('a process that crashes at any moment, over and over, leaves nothing undone and does nothing twice', async () => {
    const collection = 'tasks_over_and_over';
    const survivor = await fixture.startProcess(fixture.db, collection);
    const all: Task[] = [];
    for (const round of numbers(6)) {
      const mortal = crashingDb(fixture.db, 1 + Math.floor(Math.random() * 40), round % 2 ? 'before' : 'after');
      const { tasks } = await fixture.startProcess(mortal.db, collection);
      run(tasks, mortal.isDead);
      const some = numbers(4).map(() => newTask());
      for (const task of some) {
        await tasks
          .of('com_1')
          .create(plan(task))
          .catch(() => undefined);
        if (await survivor.tasks.of('com_1').get(task.id)) all.push(task);
      }
      if (round === 3) run(survivor.tasks, () => false);
    }
    expect(all.length).toBeGreaterThan(5);
    await waitUntil(async () => (await Promise.all(all.map(({ id }) => isDone(id, collection)))).every(Boolean), {
      what: 'everything to be done',
    });
    for (const task of all) await expectKept(survivor.tasks, task);
  });
});

describe('a process that is slow', () => {
  it('a process that is slow finds what it executes taken over, and its late outcome changes nothing', async () => {
    const [slow, fast] = [await fixture.startProcess(), await fixture.startProcess()];
    const gate = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const handler = { guarantee: 'at_most_once', execute: async () => 'x' } as const;
    const commands = slow.tasks.startCommands<{ mail: string; dial: string; play: string }>(
      {
        mail: { ...handler },
        play: { ...handler },
        dial: {
          ...handler,
          async execute(_dial, { signal }) {
            signal.addEventListener('abort', () => aborted.resolve());
            await gate.promise;
            return 'late';
          },
          settle: (task, _dial, result) => note(task, JSON.stringify(result)),
        },
      },
      { leaseMs: 300 },
    );
    stops.push(() => commands.stop());
    const task = newTask();
    await slow.tasks.of('com_1').create(decided(task, [], { commands: [{ kind: 'dial', number: '1' }] }));
    await waitUntil(
      async () =>
        ((await fixture.stored(task.id))?.['_commands'] as { startedAt: Date | null }[] | undefined)?.[0]?.startedAt,
      {
        what: 'the start',
      },
    );
    // The state after a long pause of its process: the lease has expired.
    await fixture.db.collection<{ _id: string }>('tasks').updateOne(
      { _id: task.id },
      {
        $set: { '_commands.0.lease': { owner: 'paused', until: new Date(0) }, _takeAt: new Date(0) },
        $inc: { _version: 1 },
      },
    );
    run(fast.tasks, () => false);
    await waitUntil(async () => (await fast.tasks.of('com_1').get(task.id))?.notes.length === 1, {
      what: 'the outcome',
    });
    await aborted.promise;
    gate.resolve();
    await commands.stop();
    expect((await fast.tasks.of('com_1').get(task.id))?.notes).toEqual(['1 unknown']);
  });
});
