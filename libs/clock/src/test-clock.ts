import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { BackgroundWork } from './background-work.ts';
import type { MovableClock } from './clock.ts';

/**
 * The broker for messages about the test clock: `@parley/events`' broker, whose subjects keep two stacks on one server
 * apart.
 */
export interface TestClockBroker {
  readonly connection: NatsConnection;
  subject(name: string): string;
}

/**
 * The messages between the sandbox and the services about the test clock. Core NATS, JSON; never used in production.
 */
export function testClockSubjects({ subject }: Pick<TestClockBroker, 'subject'>) {
  return {
    /** service -> sandbox: `{instance, service}`; answered with `{offsetMs}`. */
    join: subject('test-clock.join'),
    /** sandbox -> services: it has just started; join again. */
    hello: subject('test-clock.hello'),
    /**
     * sandbox -> services: `{offsetMs}`; each responds with `{instance}` when its clock has moved and its timers are
     * updated.
     */
    set: subject('test-clock.set'),
    /** sandbox -> services: each answers `{instance, busy, finished}`. */
    report: subject('test-clock.report'),
  };
}

export interface TestClockOptions {
  broker: TestClockBroker;
  clock: MovableClock;
  backgroundWork: BackgroundWork;
  service: string;
  /** Identifies this run of the service. */
  instance: string;
}

/** Lets the sandbox move this service's clock. A service that starts late takes over the time the others have. */
export async function followTestClock(options: TestClockOptions): Promise<{ stop(): void }> {
  const { broker, clock, backgroundWork, service, instance } = options;
  const { connection } = broker;
  const subjects = testClockSubjects(broker);
  const move = async (offsetMs: number) => {
    if (offsetMs !== clock.offsetMs()) clock.setOffsetMs(offsetMs);
    await clock.moved();
  };
  const join = async () => {
    const offsetMs = await connection
      .request(subjects.join, JSON.stringify({ instance, service }), { timeout: 2000 })
      .then(offsetIn)
      .catch(() => undefined); // no sandbox yet: it announces itself when it starts
    if (offsetMs !== undefined) await move(offsetMs);
  };
  const subscriptions: Subscription[] = [
    connection.subscribe(subjects.hello, { callback: (error) => void (error ?? join()) }),
    connection.subscribe(subjects.set, {
      callback: (error, message) =>
        answer(error, message, async () => {
          await move(offsetIn(message));
          return { instance };
        }),
    }),
    connection.subscribe(subjects.report, {
      callback: (error, message) =>
        answer(error, message, async () => ({ instance, ...(await backgroundWork.report()) })),
    }),
  ];
  await join();
  return { stop: () => subscriptions.forEach((subscription) => subscription.unsubscribe()) };
}

function offsetIn(message: Msg): number {
  const { offsetMs } = message.json<{ offsetMs: unknown }>();
  if (typeof offsetMs !== 'number') throw new TypeError('no time to move the clock to');
  return offsetMs;
}

/** A request that fails is repeated by its sender; an error thrown in a callback would end the whole connection. */
function answer(error: Error | null, message: Msg, work: () => Promise<unknown>): void {
  if (error) return; // the broker refused the subscription, which is logged
  void work().then(
    (reply) => message.respond(JSON.stringify(reply)),
    () => undefined,
  );
}
