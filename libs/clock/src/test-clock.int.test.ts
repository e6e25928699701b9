import { connect, type NatsConnection } from '@nats-io/transport-node';
import { testNats, uniqueName, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { trackBackgroundWork } from './background-work.ts';
import { movableClock } from './clock.ts';
import { followTestClock, testClockSubjects } from './test-clock.ts';

/** Two stacks on one server. */
const [ours, theirs] = ['ours', 'theirs'].map((stack) => {
  const prefix = uniqueName(stack);
  return { subject: (name: string) => `${prefix}.${name}` };
}) as [Named, Named];
type Named = Parameters<typeof testClockSubjects>[0];
const subjects = testClockSubjects(ours);

let sandbox: NatsConnection;
let connection: NatsConnection;
const endings: (() => void)[] = [];

beforeAll(async () => {
  const { options } = testNats();
  [sandbox, connection] = await Promise.all([connect(options), connect(options)]);
});
afterEach(() => endings.splice(0).forEach((end) => end()));
afterAll(async () => {
  await Promise.all([sandbox.close(), connection.close()]);
});

async function follow(named = ours) {
  const clock = movableClock();
  const backgroundWork = trackBackgroundWork();
  const following = await followTestClock({
    broker: { ...named, connection },
    clock,
    backgroundWork,
    service: 'directory',
    instance: 'run 1',
  });
  endings.push(() => following.stop());
  await connection.flush();
  return { clock, backgroundWork, stop: () => following.stop() };
}

async function ask(subject: string, question: unknown = {}): Promise<unknown> {
  return (await sandbox.request(subject, JSON.stringify(question), { timeout: 5000 })).json();
}

function answerJoins(offsetMs: () => number): void {
  const joins = sandbox.subscribe(subjects.join, {
    callback: (_error, message) => void message.respond(JSON.stringify({ offsetMs: offsetMs() })),
  });
  endings.push(() => joins.unsubscribe());
}

describe('a service that follows the test clock', () => {
  it('a service that follows the test clock keeps real time while there is no sandbox', async () => {
    expect((await follow()).clock.offsetMs()).toBe(0);
  });

  it('a service that follows the test clock takes over the time the others have when it starts late', async () => {
    answerJoins(() => 5000);
    await sandbox.flush();
    expect((await follow()).clock.offsetMs()).toBe(5000);
  });

  it('a service that follows the test clock joins a sandbox that comes after it', async () => {
    const { clock } = await follow();
    answerJoins(() => 7000);
    sandbox.publish(subjects.hello);
    await waitUntil(() => clock.offsetMs() === 7000, { what: 'the clock to be moved' });
  });

  it('a service that follows the test clock is not upset by a sandbox that talks nonsense', async () => {
    const { clock } = await follow();
    const joins = sandbox.subscribe(subjects.join, { callback: (_error, message) => void message.respond('?') });
    endings.push(() => joins.unsubscribe());
    sandbox.publish(subjects.hello);
    sandbox.publish(subjects.set, '?');
    expect(await ask(subjects.set, { offsetMs: 11 })).toEqual({ instance: 'run 1' });
    expect(clock.offsetMs()).toBe(11);
  });

  it('a service that follows the test clock keeps its time when it receives an invalid one', async () => {
    const { clock } = await follow();
    await ask(subjects.set, { offsetMs: 3 });
    const joins = sandbox.subscribe(subjects.join, { callback: (_error, message) => void message.respond('{}') });
    endings.push(() => joins.unsubscribe());
    sandbox.publish(subjects.hello);
    for (const offsetMs of ['1', null, undefined]) sandbox.publish(subjects.set, JSON.stringify({ offsetMs }));
    await ask(subjects.report);
    expect(clock.offsetMs()).toBe(3);
  });

  it('a service that follows the test clock is moved by the sandbox of its own stack and by no other on the server', async () => {
    answerJoins(() => 1000);
    await sandbox.flush();
    const [one, other] = [await follow(ours), await follow(theirs)];
    expect([one.clock.offsetMs(), other.clock.offsetMs()]).toEqual([1000, 0]);
    await ask(testClockSubjects(theirs).set, { offsetMs: 60_000 });
    expect([one.clock.offsetMs(), other.clock.offsetMs()]).toEqual([1000, 60_000]);
    await ask(subjects.set, { offsetMs: 5000 });
    expect([one.clock.offsetMs(), other.clock.offsetMs()]).toEqual([5000, 60_000]);
  });

  it('a service that follows the test clock confirms a move when its timers are updated', async () => {
    const { clock } = await follow();
    let noticed = false;
    clock.onMove(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      noticed = true;
    });
    expect(await ask(subjects.set, { offsetMs: 9000 })).toEqual({ instance: 'run 1' });
    expect(clock.offsetMs()).toBe(9000);
    expect(noticed).toBe(true);
  });

  it('a service that follows the test clock reports what it is at', async () => {
    const { backgroundWork } = await follow();
    let finish = () => {};
    const work = backgroundWork.during(() => new Promise<void>((resolve) => (finish = resolve)));
    expect(await ask(subjects.report)).toEqual({ instance: 'run 1', busy: 1, finished: 0 });
    finish();
    await work;
    expect(await ask(subjects.report)).toEqual({ instance: 'run 1', busy: 0, finished: 1 });
  });

  it('a service that follows the test clock sends nothing after it has stopped', async () => {
    const { stop } = await follow();
    stop();
    await connection.flush();
    await expect(ask(subjects.report)).rejects.toThrow('no responders');
  });
});
