import { decided, dueIn, refusal, refused } from '@parley/errors';
import { explainCommand, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { numbers } from '../../test/start-outbox.ts';
import {
  newTask,
  note,
  noted,
  startTasks,
  type Task,
  type TaskCommand,
  type TaskEvent,
  type Tasks,
  type TaskTimer,
} from '../../test/start-tasks.ts';
import type { TimerHandlers } from './timer-firing.ts';

const MINUTE_MS = 60_000;
let fixture: Awaited<ReturnType<typeof startTasks>>;
let tasks: Tasks;
let backgroundWork: Awaited<ReturnType<typeof fixture.startProcess>>['backgroundWork'];
let running: { stop(): Promise<void> }[];

beforeAll(async () => void (fixture = await startTasks()));
beforeEach(async () => {
  running = [];
  fixture.clock.setOffsetMs(0);
  await fixture.db.collection('tasks').deleteMany({});
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await fixture.stopProcesses();
});
afterAll(() => fixture.end());

type Handlers = TimerHandlers<Task, TaskEvent, TaskCommand, TaskTimer>;
const handlers: Handlers = {
  first: (task) => note(task, 'first'),
  second: (task) => note(task, 'second'),
  failing: () => {
    throw new Error('a defect');
  },
};
const start = (some: Partial<Handlers> = {}, of: Tasks = tasks) =>
  void running.push(of.startTimers({ ...handlers, ...some }));
/** Each test has its own processes: stopped ones stay stopped. */
beforeEach(async () => void ({ tasks, backgroundWork } = await fixture.startProcess()));

const due = (waitMs: number) => dueIn(fixture.clock.now(), waitMs);
const create = async (timers: Partial<Record<TaskTimer, ReturnType<typeof due> | null>>, details = {}) => {
  const task = newTask(details);
  await tasks.of(task.companyId).create(decided(task, [], { timers }));
  return task;
};
const notesOf = async ({ id, companyId }: Task) => (await tasks.of(companyId).get(id))?.notes;
const settled = () => waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'all to be done' });
const advance = async (ms: number) => {
  fixture.clock.setOffsetMs(fixture.clock.offsetMs() + ms);
  await fixture.clock.moved();
  await settled();
};

describe('a timer', () => {
  it('a timer fires once when it is due, and is removed by the resulting write', async () => {
    start();
    const task = await create({ first: due(30) });
    await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the timer' });
    expect(await notesOf(task)).toEqual(['first']);
    const stored = await fixture.stored(task.id);
    expect([stored?.['_timers'], stored?.['_dueAt']]).toEqual([undefined, undefined]);
    await waitUntil(async () => (await fixture.published()).some(({ aggregateId }) => aggregateId === task.id), {
      what: 'the event that follows from the timer',
    });
  });

  it('a timer fires on time, not at the next poll', async () => {
    start();
    const lateness: number[] = [];
    for (const waitMs of [60, 120, 180, 240]) {
      const plan = due(waitMs);
      const task = await create({ first: plan });
      await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the timer' });
      lateness.push(fixture.clock.now().getTime() - plan.at.getTime());
    }
    // Polls are two seconds apart: after the first timer, one that waits for its poll would be late by more than 1.7 s.
    expect(lateness.toSorted((a, b) => a - b)[1]).toBeLessThan(1000);
  });

  it('a timer does not fire before its time, when it was cancelled, or when it was moved', async () => {
    start();
    const [later, cancelled, moved] = [
      await create({ first: due(MINUTE_MS) }),
      await create({ first: due(MINUTE_MS) }),
      await create({ first: due(MINUTE_MS) }),
    ];
    const own = tasks.of('com_1');
    await own.change(cancelled.id, (task) => decided(task, [], { timers: { first: null } }));
    await own.change(moved.id, (task) => decided(task, [], { timers: { first: due(10 * MINUTE_MS) } }));
    await advance(MINUTE_MS / 2);
    expect(await notesOf(later)).toEqual([]);
    await advance(MINUTE_MS);
    expect([await notesOf(later), await notesOf(cancelled), await notesOf(moved)]).toEqual([['first'], [], []]);
    await advance(9 * MINUTE_MS);
    expect(await notesOf(moved)).toEqual(['first']);
  });

  it('a timer is one of several in a document; the others stay', async () => {
    start();
    const task = await create({ first: due(MINUTE_MS), second: due(2 * MINUTE_MS) });
    await advance(MINUTE_MS);
    expect(await notesOf(task)).toEqual(['first']);
    await tasks.of('com_1').change(task.id, (current) => decided(noted(current, 'changed')));
    await advance(MINUTE_MS);
    expect(await notesOf(task)).toEqual(['first', 'changed', 'second']);
  });

  it('a timer fires in the order of its time with others that are due', async () => {
    const task = await create({ second: due(-2000), first: due(-1000) });
    start();
    await settled();
    expect(await notesOf(task)).toEqual(['second', 'first']);
  });

  it('a timer can be set again by what follows from it', async () => {
    const again = (task: Task) =>
      decided(noted(task, 'again'), [], { timers: task.notes.length < 2 ? { first: due(MINUTE_MS) } : {} });
    start({ first: again });
    const task = await create({ first: due(MINUTE_MS) });
    for (let minute = 0; minute < 4; minute++) await advance(MINUTE_MS);
    expect(await notesOf(task)).toEqual(['again', 'again', 'again']);
  });

  it('a timer is over when its handler refuses', async () => {
    start({ first: () => refused(refusal('conflict', 'nothing to do')) });
    const task = await create({ first: due(0), second: due(0) });
    await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the other timer' });
    expect((await fixture.stored(task.id))?.['_timers']).toBeUndefined();
  });

  it('a timer may delete its aggregate, and is removed with a deleted one', async () => {
    start({ first: (_task) => decided(null) });
    const [task, other] = [await create({ first: due(MINUTE_MS) }), await create({ second: due(MINUTE_MS) })];
    await tasks.of('com_1').change(other.id, () => decided(null));
    await advance(MINUTE_MS);
    await waitUntil(async () => !(await fixture.stored(task.id)) && !(await fixture.stored(other.id)), {
      what: 'the tombstones to be removed',
    });
  });

  it('a timer fires once in however many processes, and none is lost', async () => {
    const others = await Promise.all(numbers(3).map(() => fixture.startProcess()));
    const all = await Promise.all(numbers(30).map(() => create({ first: due(MINUTE_MS), second: due(MINUTE_MS) })));
    start();
    for (const other of others) start({}, other.tasks);
    await advance(MINUTE_MS);
    const notes = () => Promise.all(all.map(notesOf));
    await waitUntil(async () => (await notes()).every((one) => one?.length === 2), { what: 'all timers' });
    await settled();
    expect((await notes()).map((one) => one?.toSorted())).toEqual(all.map(() => ['first', 'second']));
  });

  it('a timer set by a process that has ended fires in another', async () => {
    const task = await create({ first: due(50) });
    const other = await fixture.startProcess();
    start({}, other.tasks);
    await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the timer' });
  });

  it('a timer stays due in a process that may not fire it, and fires in one that may, or once it may', async () => {
    const mayFire = new Set<Tasks>();
    const startAs = (of: Tasks) => void running.push(of.startTimers(handlers, { mayFire: () => mayFire.has(of) }));
    const other = await fixture.startProcess();
    startAs(tasks);
    startAs(other.tasks);
    const task = await create({ first: due(0), second: due(MINUTE_MS) });
    // Behind more than one look finds.
    const many = await Promise.all(numbers(250).map(() => create({ first: due(0) })));
    await waitUntil(async () => (await backgroundWork.report()).busy === 251, { what: 'the timers to be held back' });
    expect(await notesOf(task)).toEqual([]);
    mayFire.add(other.tasks);
    const fired = async () => (await Promise.all(many.map(notesOf))).every((notes) => notes?.length === 1);
    await waitUntil(fired, { what: 'the timers' });
    await settled();
    expect(await notesOf(task)).toEqual(['first']);
    mayFire.clear();
    fixture.clock.setOffsetMs(MINUTE_MS);
    mayFire.add(tasks);
    await settled();
    expect(await notesOf(task)).toEqual(['first', 'second']);
  });

  it('a timer that was held back fires when it is said that it may, sooner than the next poll finds it', async () => {
    let mayFire = false;
    const timers = tasks.startTimers(handlers, { mayFire: () => mayFire });
    running.push(timers);
    const task = await create({ first: due(0) });
    await waitUntil(async () => (await backgroundWork.report()).busy === 1, { what: 'the timer to be held back' });
    mayFire = true;
    timers.pollNow();
    await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the timer', timeoutMs: 3000 });
  });

  it('a timer fires while its aggregate is being changed', async () => {
    start();
    const task = await create({ first: due(40) });
    const other = await fixture.startProcess();
    for (const number of numbers(40)) {
      const by = number % 2 ? tasks : other.tasks;
      await by.of('com_1').change(task.id, (current) => decided(noted(current, 'changed')));
    }
    await waitUntil(async () => (await notesOf(task))?.includes('first'), { what: 'the timer' });
    expect((await notesOf(task))?.filter((one) => one === 'first')).toHaveLength(1);
    expect(await notesOf(task)).toHaveLength(41);
  });
});

describe('a timer whose handler fails', () => {
  it('a timer whose handler fails is retried with increasing pauses, and delays no other', async () => {
    const attempts: number[] = [];
    const failing = (task: Task, now: Date) => {
      attempts.push(now.getTime());
      if (attempts.length < 3) throw new Error('a defect');
      return note(task, 'failing');
    };
    start({ failing });
    const task = await create({ failing: due(0), first: due(1) });
    await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the timer behind it' });
    await advance(1000);
    expect(attempts.length).toBeGreaterThanOrEqual(2);
    await advance(2000);
    expect(await notesOf(task)).toEqual(['first', 'failing']);
    const [first = 0, second = 0, third = 0] = attempts;
    expect(second - first).toBeGreaterThanOrEqual(1000);
    expect(third - second).toBeGreaterThanOrEqual(2000);
  });

  it('a timer whose handler fails is tried again when its decision collides with something unique', async () => {
    const holder = newTask({ slot: 'a' });
    await tasks.of('com_1').create(decided(holder));
    start({ first: (task) => decided({ ...noted(task, 'got it'), slot: 'a' }) });
    const task = await create({ first: due(0) });
    await waitUntil(() => fixture.lines.some((line) => line.includes('timer failed') && line.includes(task.id)), {
      what: 'the failure to be logged',
    });
    await tasks.of('com_1').change(holder.id, () => decided(null));
    await advance(2000);
    await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the next try' });
    expect(await notesOf(task)).toEqual(['got it']);
  });
});

describe('timers of many companies', () => {
  it('timers of many companies are fair: one with thousands does not delay another', async () => {
    const at = due(-MINUTE_MS);
    const rush = numbers(300).map(() => ({
      _id: newTask().id,
      companyId: 'com_busy',
      notes: [],
      _version: 1,
      _stamps: [],
      _deleted: false,
      _eventCounts: {},
      _outbox: [],
      _relay: null,
      _timers: [{ name: 'first', ...at, failures: 0 }],
      _dueAt: at.at,
    }));
    await fixture.db.collection<{ _id: string }>('tasks').insertMany(rush);
    const others = await Promise.all(numbers(5).map((n) => create({ first: due(0) }, { companyId: `com_${n}` })));
    const fired: string[] = [];
    start({
      first: (task) => {
        fired.push(task.companyId);
        return decided(noted(task, 'first'));
      },
    });
    await waitUntil(async () => (await Promise.all(others.map(notesOf))).every((one) => one?.length === 1), {
      what: 'the others',
    });
    expect(fired.findLastIndex((companyId) => companyId !== 'com_busy')).toBeLessThan(200);
    await waitUntil(() => fired.length >= 305, { what: 'the rush' });
  });
});

describe('timers and a clock that is moved', () => {
  it('timers count as background work from the move of the clock past their time until they have fired', async () => {
    start();
    const task = await create({ first: due(MINUTE_MS) });
    await settled();
    fixture.clock.setOffsetMs(MINUTE_MS);
    expect((await backgroundWork.report()).busy).toBeGreaterThan(0);
    await settled();
    expect(await notesOf(task)).toEqual(['first']);
  });

  it('timers wait no longer than intended when the clock is moved back', async () => {
    start();
    fixture.clock.setOffsetMs(600 * MINUTE_MS);
    await fixture.clock.moved();
    const [one, both] = [
      await create({ first: due(MINUTE_MS) }),
      await create({ first: due(MINUTE_MS), second: due(5 * MINUTE_MS) }),
    ];
    fixture.clock.setOffsetMs(0);
    await fixture.clock.moved();
    const waits = async (id: string) =>
      ((await fixture.stored(id))!['_timers'] as { at: Date }[]).map(({ at }) => at.getTime() - Date.now());
    for (const wait of [...(await waits(one.id)), ...(await waits(both.id))])
      expect(wait).toBeLessThanOrEqual(5 * MINUTE_MS);
    await advance(MINUTE_MS);
    expect([await notesOf(one), await notesOf(both)]).toEqual([['first'], ['first']]);
    await advance(4 * MINUTE_MS);
    expect(await notesOf(both)).toEqual(['first', 'second']);
  });
});

it('a timer fires on time at rest, also in another process than the one that set it', async () => {
  const other = await fixture.startProcess();
  start({}, other.tasks);
  const now = performance.now.bind(performance);
  // A minute later, so that the look after five seconds is one at rest, and the next one ten seconds after it.
  const shiftMs = 60_000 - (now() % 15_000);
  const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + shiftMs);
  const plan = due(6500);
  const task = await create({ first: plan });
  await waitUntil(async () => (await notesOf(task))?.length === 1, { what: 'the timer' });
  expect(fixture.clock.now().getTime() - plan.at.getTime()).toBeLessThan(3000);
  later.mockRestore();
});

it('due timers are found by their index', async () => {
  await create({ first: due(MINUTE_MS) });
  const filter = { _dueAt: { $lte: new Date() }, companyId: { $nin: ['com_2'] } };
  const plan = await explainCommand(fixture.db, { find: 'tasks', filter, sort: { _dueAt: 1 }, limit: 10 });
  expect(plan).toMatchObject({ index: 'timers_due', isUnindexed: false, docsExamined: 0 });
});
