import { trackActivity } from '@parley/clock';
import { newId } from '@parley/ids';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { startTelemetry } from '@parley/telemetry';
import { testMongo, testNats, type TestNats, uniqueName } from '@parley/testkit';
import { connectBroker, encodeEvent, type Event, type FollowerOptions, startFollower } from '../src/index.ts';

/** A broker with names of its own and a database: what a follower and its test need. */
export async function startRoom(nats: TestNats = testNats()) {
  const spanExporter = new InMemorySpanExporter();
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'info', logDestination, spanExporter });
  const mongo = testMongo();
  const db = mongo.database('events');
  const prefix = uniqueName('t').replace('_', '-');
  const connect = () => connectBroker({ ...nats, prefix, name: 'test', log: telemetry.log });
  const broker = await connect();
  await broker.ensureStream('directory');
  const endings: (() => Promise<void>)[] = [];

  return {
    broker,
    db,
    lines,
    spans: () => spanExporter.getFinishedSpans(),
    telemetry,
    connect,

    /** Follows contacts and notes what it applies as `<aggregate> <sequence>`. */
    async follow(options: Partial<FollowerOptions> & { onEvent?: (event: Event) => Promise<void> | void } = {}) {
      const applied: string[] = [];
      const handler = async (event: Event) => {
        await options.onEvent?.(event);
        applied.push(`${event.aggregateId} ${event.aggregateSequence}`);
      };
      const activity = trackActivity();
      const handlers = Object.fromEntries(
        ['created', 'updated', 'deleted'].map((fact) => [`directory.contact.${fact}`, handler]),
      );
      const follower = await startFollower({
        name: 'test-contacts',
        broker,
        db,
        handlers,
        activity,
        telemetry,
        retryDelayMs: () => 30,
        ...options,
      });
      endings.push(() => follower.stop());
      return { follower, applied, activity };
    },

    /** Publishes without an id for the broker to know it by: it arrives as often as it is published. */
    async publish(...events: Event[]) {
      for (const event of events) await broker.jetstream.publish(broker.subject(event.type), encodeEvent(event));
    },

    async end() {
      for (const ending of endings.reverse()) await ending();
      if (broker.connected()) await broker.manager.streams.delete(broker.stream('directory')).catch(() => undefined);
      await broker.close();
      await mongo.close();
      await telemetry.stop();
    },
  };
}

export type Room = Awaited<ReturnType<typeof startRoom>>;

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

/** What was applied, with the numbers of each aggregate in the order of application. */
export function byAggregate(applied: readonly string[]): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  for (const entry of applied) {
    const [aggregate = '', sequence] = entry.split(' ');
    (numbers[aggregate] ??= []).push(Number(sequence));
  }
  return numbers;
}
