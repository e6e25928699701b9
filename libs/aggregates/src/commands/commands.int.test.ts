import { decided, refusal, refused } from '@parley/errors';
import { explainCommand, waitUntil } from '@parley/testkit';
import { describe, expect, it } from '@jest/globals';
import { numbers } from '../../test/start-outbox.ts';
import { note, noted, type Task, type TaskDecision } from '../../test/start-tasks.ts';
import { type CommandContext } from './command-handlers.ts';
import {
  useCommandFixture,
  fixture,
  tasks,
  type Handlers,
  executed,
  handlers,
  start,
  mail,
  dial,
  play,
  create,
  notesOf,
  pending,
  done,
  advance,
  controlled,
} from '../../test/command-fixture.ts';

useCommandFixture();

describe('a command', () => {
  it.each([
    ['until_confirmed', mail('a'), 'mailed a'],
    ['at_most_once', dial('1'), '1: dialled 1'],
  ])('a command (%s) is executed at once; removing it writes its outcome', async (_guarantee, command, noted) => {
    start();
    const task = await create([command]);
    await done(task);
    expect([executed.length, await notesOf(task)]).toEqual([1, [noted]]);
    const stored = await fixture.stored(task.id);
    expect([stored?.['_commands'], stored?.['_takeAt']]).toEqual([undefined, undefined]);
    await waitUntil(
      async () => (await fixture.published()).filter(({ aggregateId }) => aggregateId === task.id).length === 2,
      { what: 'the event of the decision and of the outcome' },
    );
  });

  it('a command that starts with its write is marked by it, and executed without another write', async () => {
    const found = Promise.withResolvers<unknown>();
    start({
      dial: {
        ...handlers.dial,
        startsWithWrite: true,
        async execute(command, context) {
          found.resolve(await fixture.stored(context.aggregateId));
          return handlers.dial.execute(command, context);
        },
      },
    });
    const task = await create([dial('1')]);
    expect(await found.promise).toMatchObject({ _version: 1, _commands: [{ startedAt: expect.any(Date) }] });
    await done(task);
    expect(await notesOf(task)).toEqual(['1: dialled 1']);
  });

  it('a command is reported as settled when its outcome is stored', async () => {
    const reported = Promise.withResolvers<Task['notes'] | undefined>();
    start({
      dial: {
        ...handlers.dial,
        onSettled: ({ aggregateId }) =>
          tasks
            .of('com_1')
            .get(aggregateId)
            .then((task) => reported.resolve(task?.notes), reported.reject),
      },
    });
    await create([dial('1')]);
    expect(await reported.promise).toEqual(['1: dialled 1']);
  });

  it('a command costs one more write, or two when it is executed at most once', async () => {
    start();
    const [once, repeated] = [await create([dial('1')]), await create([mail('a')])];
    await done(once, repeated);
    const versions = await Promise.all(
      [once, repeated].map(async ({ id }) => (await fixture.stored(id))?.['_version']),
    );
    expect(versions).toEqual([3, 2]);
  });

  it('a command gets its id, its aggregate and its attempt', async () => {
    const seen: CommandContext[] = [];
    start({
      mail: {
        ...handlers.mail,
        async execute(_mail, about) {
          seen.push(about);
          if (about.attempt === 1) throw new Error('not yet');
          return 'mailed';
        },
      },
    });
    const task = await create([mail('a')]);
    await waitUntil(() => seen.length === 1, { what: 'the first attempt' });
    await waitUntil(async () => (await fixture.stored(task.id))?.['_dueAt'], { what: 'the retry' });
    await advance(1000);
    await done(task);
    expect(seen).toMatchObject([
      { aggregateId: task.id, companyId: 'com_1', attempt: 1 },
      { aggregateId: task.id, companyId: 'com_1', attempt: 2 },
    ]);
    expect(seen[0]?.id).toBe(seen[1]?.id);
  });

  it('a command stays leased while its execution takes longer than a lease', async () => {
    const release = Promise.withResolvers<void>();
    let isLeased: CommandContext['isLeased'] | undefined;
    const execute = async (_mail: unknown, context: CommandContext) => {
      ({ isLeased } = context);
      await release.promise;
      return 'mailed';
    };
    start({ mail: { ...handlers.mail, execute } }, tasks, { leaseMs: 1500 });
    const task = await create([mail('hello')]);
    const until = async () => {
      const commands = (await fixture.stored(task.id))?.['_commands'] as { lease?: { until: Date } }[] | undefined;
      return commands?.[0]?.lease?.until.getTime() ?? 0;
    };
    const first = await until();
    await waitUntil(async () => Date.now() > first && (await until()) > first, { what: 'the end of the first lease' });
    expect(isLeased?.()).toBe(true);
    release.resolve();
    await done(task);
  });

  it('a command follows others of its aggregate in their order, and those of other aggregates run beside it', async () => {
    const slow = controlled('mailed slow');
    start({
      mail: {
        ...handlers.mail,
        execute: (command, about) => (command.text === 'slow' ? slow.execute() : handlers.mail.execute(command, about)),
      },
    });
    const task = await create([mail('slow'), mail('b'), dial('1')]);
    await slow.begun;
    const other = await create([mail('other')]);
    await tasks
      .of('com_1')
      .change(task.id, (current) => decided(noted(current, 'changed'), [], { commands: [mail('c')] }));
    await done(other);
    expect(executed).toEqual(['other']);
    slow.release();
    await done(task);
    expect(executed).toEqual(['other', 'b', '1', 'c']);
    expect(await notesOf(task)).toEqual(['changed', 'mailed slow', 'mailed b', '1: dialled 1', 'mailed c']);
  });

  it('a command does not wait for an earlier one that is unordered, which waits for those before it', async () => {
    const [first, playing] = [controlled('mailed first'), controlled('played x')];
    start({
      mail: {
        ...handlers.mail,
        execute: (command, about) =>
          command.text === 'first' ? first.execute() : handlers.mail.execute(command, about),
      },
      play: { ...handlers.play, execute: playing.execute },
    });
    const task = await create([mail('first'), play('x'), mail('last')]);
    await first.begun;
    expect(executed).toEqual([]);
    first.release();
    await playing.begun;
    await waitUntil(async () => (await notesOf(task))?.includes('mailed last'), { what: 'the last one' });
    playing.release();
    await done(task);
    expect(await notesOf(task)).toEqual(['mailed first', 'mailed last', 'played x']);
  });

  it('a command that takes long leaves half of the places to the others', async () => {
    const release = Promise.withResolvers<void>();
    start(
      {
        play: {
          ...handlers.play,
          isLong: () => true,
          async execute(command, about) {
            await handlers.play.execute(command, about);
            await release.promise;
            return 'played';
          },
        },
      },
      tasks,
      { concurrency: 4 },
    );
    const long = await create(numbers(4).map((number) => play(`${number}`)));
    await waitUntil(() => executed.length === 2, { what: 'two long ones' });
    const short = await create([mail('short')]);
    await done(short);
    expect(executed).toEqual([expect.any(String), expect.any(String), 'short']);
    release.resolve();
    await done(long);
  });

  it('a command of which a company may execute few leaves the other places to other companies', async () => {
    const release = Promise.withResolvers<void>();
    start(
      {
        play: {
          ...handlers.play,
          isLong: () => true,
          perCompanyMax: 1,
          async execute(command, about) {
            await handlers.play.execute(command, about);
            if (about.companyId === 'com_hanging') await release.promise;
            return 'played';
          },
        },
      },
      tasks,
      { concurrency: 4, leaseMs: 600 },
    );
    // More than may wait: the others are taken when their leases have expired.
    const hanging = await create(
      numbers(150).map((number) => play(`hanging ${number}`)),
      { companyId: 'com_hanging' },
    );
    const other = await create([play('other 1'), play('other 2')], { companyId: 'com_other' });
    await done(other);
    expect(executed.map((file) => file.split(' ')[0])).toEqual(['hanging', 'other', 'other']);
    release.resolve();
    await done(hanging);
    expect(new Set(executed).size).toBe(152);
  });

  it('a command that may wait is overtaken by later ones of its company', async () => {
    const first = controlled('played');
    start(
      {
        play: {
          ...handlers.play,
          mayWaitMs: ({ file }) => (file === 'later' ? 60_000 : 0),
          execute: (command, about) =>
            command.file === 'first' ? first.execute() : handlers.play.execute(command, about),
        },
      },
      tasks,
      { concurrency: 1 },
    );
    const all = [await create([play('first')])];
    await first.begun;
    for (const file of ['later', 'a', 'b']) all.push(await create([play(file)]));
    first.release();
    await done(...all);
    expect(executed).toEqual(['a', 'b', 'later']);
  });

  it('a command may be decided by the outcome of another, and set and cancel timers', async () => {
    const settle = (task: Task): TaskDecision =>
      decided(noted(task, 'mailed'), [], { commands: task.notes.length === 0 ? [mail('again')] : [] });
    start({ mail: { ...handlers.mail, settle } });
    const task = await create([mail('a')]);
    await done(task);
    await waitUntil(async () => (await notesOf(task))?.length === 2, { what: 'the second' });
    expect(executed).toEqual(['a', 'again']);
  });

  it('a command is over when what follows from it is refused', async () => {
    start({ mail: { ...handlers.mail, settle: () => refused(refusal('conflict', 'too late')) } });
    const task = await create([mail('a')]);
    await done(task);
    expect(await notesOf(task)).toEqual([]);
  });

  it('a command is settled together with others that ended meanwhile', async () => {
    const release = Promise.withResolvers<void>();
    start({
      play: {
        ...handlers.play,
        async execute({ file }) {
          await release.promise;
          return `played ${file}`;
        },
      },
    });
    const task = await create(numbers(20).map((number) => play(`${number}`)));
    release.resolve();
    await done(task);
    expect((await notesOf(task))?.length).toBe(20);
    expect((await fixture.stored(task.id))?.['_version']).toBeLessThan(6);
  });

  it('a command is executed once when its aggregate is changed during the execution', async () => {
    start();
    const other = await fixture.startProcess();
    const task = await create(numbers(10).map((number) => dial(`${number}`)));
    await Promise.all(
      numbers(20).map((number) =>
        (number % 2 ? tasks : other.tasks).of('com_1').change(task.id, (current) => decided(noted(current, 'changed'))),
      ),
    );
    await done(task);
    expect(executed).toEqual(numbers(10).map(String));
    expect((await notesOf(task))?.length).toBe(30);
  });
});

describe('a deleted aggregate', () => {
  it('a deleted aggregate stays as a tombstone until its commands are executed, and is removed then', async () => {
    const slow = controlled('mailed');
    let settles = 0;
    start({
      mail: { ...handlers.mail, execute: slow.execute, settle: (task) => (settles++, note(task, 'settled')) },
    });
    const task = await create([mail('a')]);
    await slow.begun;
    await tasks.of('com_1').change(task.id, () => decided(null, ['changed'], { commands: [dial('hang up')] }));
    expect(await tasks.of('com_1').get(task.id)).toBeUndefined();
    await waitUntil(
      async () => (await fixture.published()).filter((event) => event.aggregateId === task.id).length === 2,
      {
        what: 'its last event',
      },
    );
    expect((await fixture.stored(task.id))?.['_deleted']).toBe(true);
    slow.release();
    await waitUntil(async () => (await fixture.stored(task.id)) === null, { what: 'the tombstone to be removed' });
    expect([executed, settles]).toEqual([['hang up'], 0]);
  });

  it('a deleted aggregate may be deleted by the outcome of a command', async () => {
    start({ mail: { ...handlers.mail, settle: () => decided(null, ['changed']) } });
    const task = await create([mail('a'), dial('1')]);
    await waitUntil(async () => (await fixture.stored(task.id)) === null, { what: 'the tombstone to be removed' });
    expect(executed).toEqual(['a', '1']);
    expect((await fixture.published()).filter(({ aggregateId }) => aggregateId === task.id)).toHaveLength(2);
  });
});

describe('many commands', () => {
  it('many commands are executed no more than so many at once', async () => {
    let [now, most] = [0, 0];
    const gate = Promise.withResolvers<void>();
    const execute = async () => {
      most = Math.max(most, ++now);
      await gate.promise;
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return 'mailed';
    };
    start({ mail: { ...handlers.mail, execute } }, tasks, { concurrency: 4 });
    const all = await Promise.all(numbers(20).map(() => create([mail('a')])));
    gate.resolve();
    await done(...all);
    expect(most).toBe(4);
  });

  it('many commands of one company do not delay those of another', async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const execute: Handlers['mail']['execute'] = async (_mail, { companyId }) => {
      await gate.promise;
      order.push(companyId);
      return 'mailed';
    };
    start({ mail: { ...handlers.mail, execute } }, tasks, { concurrency: 1 });
    const busy = await Promise.all(numbers(30).map(() => create([mail('a')], { companyId: 'com_busy' })));
    const other = await create([mail('a')], { companyId: 'com_other' });
    gate.resolve();
    await done(...busy, other);
    expect(order.indexOf('com_other')).toBeLessThan(5);
  });
});

describe('stopping', () => {
  it('stopping waits for what is being executed and leaves the rest to others at once', async () => {
    const slow = controlled('mailed');
    const commands = start({ mail: { ...handlers.mail, execute: slow.execute } }, tasks, { concurrency: 1 });
    const [first, second] = [await create([mail('a')]), await create([dial('1')])];
    await slow.begun;
    const stopping = commands.stop();
    const other = await fixture.startProcess();
    start({}, other.tasks);
    await done(second);
    expect(await pending(first)).toBe(1);
    slow.release();
    await stopping;
    expect([executed, await notesOf(first)]).toEqual([['1'], ['mailed']]);
  });
});

it('commands without a lease are found by their index', async () => {
  await create([mail('a')]);
  const filter = {
    _takeAt: { $lte: new Date(0) },
    companyId: { $nin: ['com_2'] },
    '_commands.kind': { $in: ['mail'] },
  };
  const plan = await explainCommand(fixture.db, { find: 'tasks', filter, sort: { _takeAt: 1 }, limit: 10 });
  expect(plan).toMatchObject({ index: 'commands_to_take', isUnindexed: false, docsExamined: 0 });
});
