import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Activity } from './activity.ts';
import type { MovableClock } from './clock.ts';

/** What the sandbox and the services say to each other about the test clock. Core NATS, JSON; never used in production. */
export const testClockSubjects = {
  /** service -> sandbox: `{instance, service}`; answered with `{offsetMs}`. */
  join: 'parley.test-clock.join',
  /** sandbox -> services: it has just started; join again. */
  hello: 'parley.test-clock.hello',
  /** sandbox -> services: `{offsetMs}`; each answers `{instance}` when its clock has moved and its timers have noticed. */
  set: 'parley.test-clock.set',
  /** sandbox -> services: each answers `{instance, busy, finished}`. */
  report: 'parley.test-clock.report',
} as const;

export interface TestClockOptions {
  connection: NatsConnection;
  clock: MovableClock;
  activity: Activity;
  service: string;
  /** Tells this process's run of the service from any other. */
  instance: string;
}

/** Lets the sandbox move this service's clock. A service that starts late takes over the time the others have. */
export async function followTestClock(options: TestClockOptions): Promise<{ stop(): void }> {
  const { connection, clock, activity, service, instance } = options;
  const move = async (offsetMs: number) => {
    if (offsetMs !== clock.offsetMs()) clock.setOffsetMs(offsetMs);
    await clock.moved();
  };
  const join = async () => {
    const answer = await connection
      .request(testClockSubjects.join, JSON.stringify({ instance, service }), { timeout: 2000 })
      .then((message) => message.json<{ offsetMs: number }>())
      .catch(() => undefined); // no sandbox yet: it says hello when it comes
    if (answer) await move(answer.offsetMs);
  };
  const subscriptions: Subscription[] = [
    connection.subscribe(testClockSubjects.hello, { callback: () => void join() }),
    connection.subscribe(testClockSubjects.set, {
      callback: (_error, message) =>
        answer(message, async () => {
          await move(message.json<{ offsetMs: number }>().offsetMs);
          return { instance };
        }),
    }),
    connection.subscribe(testClockSubjects.report, {
      callback: (_error, message) => answer(message, async () => ({ instance, ...(await activity.report()) })),
    }),
  ];
  await join();
  return { stop: () => subscriptions.forEach((subscription) => subscription.unsubscribe()) };
}

/** Whoever cannot be answered asks again: an error that left a callback would end the whole connection. */
function answer(message: Msg, work: () => Promise<unknown>): void {
  void work().then(
    (reply) => message.respond(JSON.stringify(reply)),
    () => undefined,
  );
}
