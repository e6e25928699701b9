import { decided } from '@parley/errors';
import { waitUntil } from '@parley/testkit';
import { describe, expect, it } from '@jest/globals';
import { newTask, note, noted } from '../../test/start-tasks.ts';
import { NotAvailable } from './command-handlers.ts';
import {
  useCommandFixture,
  fixture,
  tasks,
  type Handlers,
  executed,
  outcomeOf,
  start,
  mail,
  dial,
  play,
  create,
  notesOf,
  pending,
  controlled,
  done,
  settled,
  advance,
  handlers,
} from '../../test/command-fixture.ts';

useCommandFixture();

describe('a command that fails', () => {
  it('a command that fails is repeated with growing pauses until it is confirmed, and others wait for it', async () => {
    const attempts: number[] = [];
    start({
      mail: {
        ...handlers.mail,
        async execute({ text }) {
          if (text === 'a') attempts.push(fixture.clock.now().getTime());
          if (text === 'a' && attempts.length < 3) throw new Error('not yet');
          executed.push(text);
          return `mailed ${text}`;
        },
      },
    });
    const task = await create([mail('a'), mail('b')]);
    const waiting = () => waitUntil(async () => (await fixture.stored(task.id))?.['_dueAt'], { what: 'the retry' });
    await waiting();
    await advance(1000);
    expect(attempts.length).toBeGreaterThanOrEqual(2);
    await waiting();
    await advance(2000);
    await done(task);
    expect(executed).toEqual(['a', 'b']);
    const [first = 0, second = 0, third = 0] = attempts;
    expect(second - first).toBeGreaterThanOrEqual(1000);
    expect(third - second).toBeGreaterThanOrEqual(2000);
  });

  it('a command that fails and is executed at most once has an unknown outcome, and is not executed again', async () => {
    let attempts = 0;
    start({
      dial: {
        ...handlers.dial,
        execute: async () => {
          attempts++;
          throw new Error('the line is dead');
        },
      },
    });
    const task = await create([dial('1'), mail('b')]);
    await done(task);
    expect([attempts, await notesOf(task)]).toEqual([1, ['1: unknown', 'mailed b']]);
  });

  it('a command that fails in what follows from it is settled again later', async () => {
    let settling = 0;
    const settle: Handlers['dial']['settle'] = (task, _dial, result) => {
      if (++settling === 1) throw new Error('a mistake of ours');
      return note(task, outcomeOf(result));
    };
    start({ dial: { ...handlers.dial, settle } });
    const task = await create([dial('1')]);
    await waitUntil(async () => (await fixture.stored(task.id))?.['_dueAt'], { what: 'the failure' });
    await advance(1000);
    await done(task);
    // The receiver's result is lost by then, and the command must not be executed again.
    expect([executed, await notesOf(task)]).toEqual([['1'], ['unknown']]);
  });

  it('a command that fails because its decision collides with something unique is settled again, and its neighbours at once', async () => {
    const holder = newTask({ slot: 'taken' });
    await tasks.of('com_1').create(decided(holder));
    const settle: Handlers['play']['settle'] = (task, { file }) =>
      decided({ ...noted(task, file), ...(file === 'unique' && { slot: 'taken' }) });
    start({ play: { ...handlers.play, settle } });
    const task = await create([play('a'), play('unique'), play('b')]);
    await waitUntil(async () => (await notesOf(task))?.length === 2, { what: 'the neighbours' });
    await tasks.of('com_1').change(holder.id, () => decided(null));
    await waitUntil(async () => (await fixture.stored(task.id))?.['_dueAt'], { what: 'the retry' });
    await advance(2000);
    await done(task);
    expect((await notesOf(task))?.toSorted()).toEqual(['a', 'b', 'unique']);
  });
});

describe('a command of before a restore', () => {
  it('a command of before a restore is not executed without a mark either when it is executed at most once; others and later ones are', async () => {
    const gate = controlled('dialled 1');
    const first = start({ dial: { ...handlers.dial, execute: gate.execute } }, tasks, { concurrency: 1, leaseMs: 300 });
    await create([dial('1')]);
    await gate.begun;
    // It waits for a place, as it does in the backup; the process of then may have executed it afterwards.
    const [waiting, idempotent] = [await create([dial('2')]), await create([mail('a')])];
    const stopping = first.stop();
    gate.release();
    await stopping;
    const restored = await fixture.startProcess(undefined, undefined, new Date());
    start({}, restored.tasks);
    await done(waiting, idempotent);
    expect([await notesOf(waiting), await notesOf(idempotent)]).toEqual([['2: unknown'], ['mailed a']]);
    const later = await create([dial('3')], {}, restored.tasks);
    await done(later);
    expect(await notesOf(later)).toEqual(['3: dialled 3']);
    expect(executed).toEqual(['a', '3']);
  });
});

describe('a command whose executor is not available', () => {
  it('a command whose executor is not available waits without losing attempts, is not executed, and does not count as work under way', async () => {
    let up = false;
    const attempts: number[] = [];
    const commands = start({
      mail: {
        ...handlers.mail,
        available: () => up,
        execute: async (_mail, { attempt }) => (attempts.push(attempt), 'mailed'),
      },
    });
    const task = await create([mail('a')]);
    await settled();
    expect([attempts, await pending(task)]).toEqual([[], 1]);
    up = true;
    commands.pollNow();
    await done(task);
    expect(attempts).toEqual([1]);
  });

  it('a command whose executor is not available is executed by a process that can', async () => {
    const other = await fixture.startProcess();
    start({ mail: { ...handlers.mail, available: () => false } });
    start({ mail: { ...handlers.mail, execute: async () => (executed.push('the other'), 'mailed') } }, other.tasks);
    const task = await create([mail('a')]);
    await done(task);
    expect(executed).toEqual(['the other']);
  });

  it('a command whose executor is not available is executed later when it turns out only then, even at most once', async () => {
    let attempts = 0;
    start({
      dial: {
        ...handlers.dial,
        execute: async (_dial, { attempt }) => {
          if (++attempts === 1) throw new NotAvailable();
          return `attempt ${attempt}`;
        },
      },
    });
    const task = await create([dial('1')]);
    await waitUntil(async () => (await fixture.stored(task.id))?.['_dueAt'], { what: 'the retry' });
    await advance(2000);
    await done(task);
    expect(await notesOf(task)).toEqual(['1: attempt 1']);
  });

  it('a command whose executor is not available waits for a process that executes its kind at all', async () => {
    const task = await create([mail('a')]);
    start();
    await done(task);
    expect(executed).toEqual(['a']);
  });
});
