import { trackBackgroundWork } from '@parley/clock';
import { newId } from '@parley/secrets';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { startTelemetry } from '@parley/telemetry';
import { testMongo, testNats, type TestNats, uniqueName } from '@parley/testkit';
import { connectBroker, encodeEvent, type Event, type FollowerOptions, startFollower } from '../src/index.ts';

/** A broker with unique names and a database for a follower test. */
export async function startFollowerTest(nats: TestNats = testNats()) {
  const spanExporter = new InMemorySpanExporter();
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'info', logDestination, spanExporter });
  const mongo = testMongo();
  const db = mongo.database('events');
  const prefix = uniqueName('t').replace('_', '-');
  const endings: (() => Promise<void>)[] = [];
  const connect = async () => {
    const another = await connectBroker({ ...nats, prefix, name: 'test', log: telemetry.log });
    endings.push(() => another.close());
    return another;
  };
  const broker = await connect();
  await broker.ensureStream('directory');

  return {
    broker,
    db,
    lines,
    spans: () => spanExporter.getFinishedSpans(),
    telemetry,
    connect,

    /** Follows contacts and notes what it applies as `<aggregate> <sequence>`. */
    async follow(
      options: Partial<FollowerOptions> & { onEvent?: (event: Event, message: unknown) => Promise<void> | void } = {},
    ) {
      const applied: string[] = [];
      const handler = async (message: unknown, event: Event) => {
        await options.onEvent?.(event, message);
        applied.push(`${event.aggregateId} ${event.aggregateSequence}`);
      };
      const backgroundWork = trackBackgroundWork();
      const handlers = Object.fromEntries(
        ['created', 'updated', 'deleted'].map((fact) => [`directory.contact.${fact}`, handler]),
      );
      const follower = await startFollower({
        name: 'test-contacts',
        broker,
        db,
        handlers,
        backgroundWork,
        telemetry,
        retryDelayMs: () => 30,
        ...options,
      });
      endings.push(() => follower.stop());
      return { follower, applied, backgroundWork };
    },

    /** True when the partitions are shared by this many replicas. */
    async hasReaders(count: number): Promise<boolean> {
      const state = await db.collection<{ _id: string; owners: (string | null)[] }>('follower_state').findOne();
      const owners = new Set(state?.owners ?? []);
      return owners.size === count && !owners.has(null);
    },

    /** Publishes without a message id: the broker does not deduplicate it. */
    async publish(...events: Event[]) {
      for (const event of events) await broker.jetstream.publish(broker.eventSubject(event), encodeEvent(event));
    },

    /** Runs all cleanups, also after a failing one: open handles would keep the test run alive. */
    async end() {
      if (broker.connected()) await broker.manager.streams.delete(broker.stream('directory')).catch(() => undefined);
      const all = [...endings.reverse(), () => mongo.close(), () => telemetry.stop()];
      const failures: unknown[] = [];
      for (const ending of all) await ending().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, 'could not end cleanly');
    },
  };
}

export type FollowerTest = Awaited<ReturnType<typeof startFollowerTest>>;

/** An event of a contact. */
export function contactEvent(aggregateId: string, aggregateSequence: number, more: Partial<Event> = {}): Event {
  return {
    id: newId('evt'),
    type: `directory.contact.${aggregateSequence === 1 ? 'created' : 'updated'}`,
    companyId: 'com_1',
    aggregateId,
    aggregateSequence,
    occurredAt: new Date(),
    traceparent: undefined,
    data: new Uint8Array(),
    ...more,
  };
}

/** The applied numbers of each aggregate, in the order of application. */
export function byAggregate(applied: readonly string[]): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  for (const entry of applied) {
    const [aggregate = '', sequence] = entry.split(' ');
    (numbers[aggregate] ??= []).push(Number(sequence));
  }
  return numbers;
}
