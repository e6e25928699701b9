import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BackgroundWork,
  followTestClock,
  type MovableClock,
  movableClock,
  testClockSubjects,
  trackBackgroundWork,
} from '@parley/clock';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

/** A service as far as the test clock is concerned. */
interface Member {
  clock: MovableClock;
  backgroundWork: BackgroundWork;
  following: { stop(): void };
}

let nats: OwnNats;
let sandbox: TestSandbox;
let connection: NatsConnection;
let members: Member[];

beforeAll(async () => {
  nats = await ownNats();
  connection = await connect({ ...nats.options, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});
afterAll(async () => {
  await connection?.close();
  await nats?.close();
});
// A sandbox for each test: it would wait for the dead members of the last one.
beforeEach(async () => {
  members = [];
  sandbox = await startSandbox(nats);
});
afterEach(async () => {
  for (const { following } of members) following.stop();
  await sandbox.stop();
});

const stack = (prefix: string) => ({ subject: (name: string) => `${prefix}.${name}` });

const subjects = testClockSubjects(stack('parley'));

let runs = 0;
async function join(
  service: string,
  prepare: (member: Omit<Member, 'following'>) => void = () => {},
  prefix = 'parley',
): Promise<Member> {
  const [clock, backgroundWork] = [movableClock(), trackBackgroundWork()];
  prepare({ clock, backgroundWork });
  const broker = { ...stack(prefix), connection };
  const following = await followTestClock({ broker, clock, backgroundWork, service, instance: `${service}-${++runs}` });
  const member = { clock, backgroundWork, following };
  members.push(member);
  return member;
}

/** Expects a time that was taken since `from`, that far ahead. */
function expectAhead(time: string, seconds: number, from: number): void {
  const takenAt = Date.parse(time) - seconds * 1000;
  expect(takenAt).toBeGreaterThanOrEqual(from);
  expect(takenAt).toBeLessThanOrEqual(Date.now());
}
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

describe('the test clock', () => {
  it('the test clock moves every service and the sandbox itself', async () => {
    const [one, other] = [await join('one'), await join('other')];
    const from = Date.now();
    const { status, body } = await sandbox.ask('POST', '/clock/advance', { seconds: 3600 });
    expect(status).toBe(200);
    expectAhead(body.now, 3600, from);
    expect([one.clock.offsetMs(), other.clock.offsetMs()]).toEqual([3_600_000, 3_600_000]);
    expectAhead((await sandbox.ask('GET', '/clock')).body.now, 3600, from);
    await sandbox.ask('POST', '/hooks/timed', {});
    const [received] = (await sandbox.ask('GET', '/hooks/timed')).body;
    expectAhead(received.received_at, 3600, from);
  });

  it('the test clock answers when the work that came due is done, and the work that work started', async () => {
    const done: string[] = [];
    const other = await join('other');
    await join('one', ({ clock, backgroundWork }) =>
      clock.onMove(() => {
        // A timer fires but the move does not wait for it; its work ends in another service's work.
        void backgroundWork.during(async () => {
          await turns(200);
          done.push('timer');
          void other.backgroundWork.during(async () => {
            await turns(200);
            done.push('follower');
          });
        });
      }),
    );
    await sandbox.ask('POST', '/clock/advance', { seconds: 1.5 });
    expect(done).toEqual(['timer', 'follower']);
  });

  it('the test clock returns to real time, and all members are notified', async () => {
    const moves: boolean[] = [];
    const member = await join('one', ({ clock }) => clock.onMove(({ back }) => void moves.push(back)));
    await sandbox.ask('POST', '/clock/advance', { seconds: 60 });
    expect((await sandbox.ask('DELETE', '/clock')).status).toBe(204);
    expect(member.clock.offsetMs()).toBe(0);
    expect(moves).toEqual([false, true]);
    const from = Date.now();
    expectAhead((await sandbox.ask('GET', '/clock')).body.now, 0, from);
  });

  it('the test clock adds up concurrent advances', async () => {
    const member = await join('one');
    const answers = await Promise.all(
      [1, 2, 3, 4].map((seconds) => sandbox.ask('POST', '/clock/advance', { seconds })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(member.clock.offsetMs()).toBe(10_000);
  });

  it('the test clock gives the moved time to a service that starts late', async () => {
    await sandbox.ask('POST', '/clock/advance', { seconds: 86_400 });
    expect((await join('late')).clock.offsetMs()).toBe(86_400_000);
  });

  it('the test clock leaves alone the services of another stack on the same server', async () => {
    const others = await startSandbox(nats, 'other-stack');
    const [ours, theirs] = [await join('one'), await join('one', undefined, 'other-stack')];
    await sandbox.ask('POST', '/clock/advance', { seconds: 60 });
    expect([ours.clock.offsetMs(), theirs.clock.offsetMs()]).toEqual([60_000, 0]);
    await others.ask('POST', '/clock/advance', { seconds: 5 });
    expect([ours.clock.offsetMs(), theirs.clock.offsetMs()]).toEqual([60_000, 5000]);
    await others.stop();
  });

  it('the test clock waits for services that were there before the sandbox', async () => {
    let [fired, done] = [0, 0];
    await join('early', ({ clock, backgroundWork }) =>
      clock.onMove(() => {
        fired += 1;
        void backgroundWork.during(() => turns(200)).then(() => (done += 1));
      }),
    );
    await sandbox.stop();
    sandbox = await startSandbox(nats);
    await waitUntil(
      async () => {
        await sandbox.ask('POST', '/clock/advance', { seconds: 5 });
        return fired > 0 && done === fired;
      },
      { what: 'the new sandbox to wait for the service' },
    );
  });

  it('the test clock does not wait for a service that crashed', async () => {
    const [alive, dead] = [await join('alive'), await join('dead')];
    dead.following.stop();
    expect((await sandbox.ask('POST', '/clock/advance', { seconds: 1 })).status).toBe(200);
    expect([alive.clock.offsetMs(), dead.clock.offsetMs()]).toEqual([1000, 0]);
    const before = performance.now();
    await sandbox.ask('POST', '/clock/advance', { seconds: 1 });
    // It would be waited for twice, for 1.5 seconds each.
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it.each(['', '?', 'null', '7', '{}', '{"instance": 7, "service": {}}', '{"instance": "run"'])(
    'the test clock ignores %j as a request to join',
    async (malformed) => {
      const member = await join('one');
      connection.publish(subjects.join, malformed);
      const { status } = await sandbox.ask('POST', '/clock/advance', { seconds: 1 });
      expect([status, member.clock.offsetMs()]).toEqual([200, 1000]);
      expect((await join('late')).clock.offsetMs()).toBe(1000);
    },
  );

  it('the test clock ignores malformed answers', async () => {
    const member = await join('one');
    const malformed = ['?', 'null', '{"instance": 7}', '{"busy": 1}'];
    const answering = [subjects.set, subjects.report].map((subject) =>
      connection.subscribe(subject, {
        callback: (_error, message) => malformed.forEach((answer) => void message.respond(answer)),
      }),
    );
    const { status } = await sandbox.ask('POST', '/clock/advance', { seconds: 1 });
    answering.forEach((subscription) => subscription.unsubscribe());
    expect([status, member.clock.offsetMs()]).toEqual([200, 1000]);
  });

  it('the test clock fails while the broker is unreachable without moving, and works again afterwards', async () => {
    const member = await join('one');
    await nats.stop();
    const { status, body } = await sandbox.ask('POST', '/clock/advance', { seconds: 60 });
    expect([status, body.error]).toEqual([503, 'broker_unreachable']);
    const from = Date.now();
    expectAhead((await sandbox.ask('GET', '/clock')).body.now, 0, from);
    await nats.start();
    await waitUntil(
      async () =>
        (await sandbox.ask('POST', '/clock/advance', { seconds: 60 })).status === 200 && member.clock.offsetMs() > 0,
      { what: 'the clock to move again' },
    );
  });

  it.each([0, -1, '60', null, undefined, 1e12])('the test clock refuses to advance by %p seconds', async (seconds) => {
    const { status, body } = await sandbox.ask('POST', '/clock/advance', { seconds });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: { seconds: [expect.any(String)] } });
  });
});
