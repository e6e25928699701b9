import { type JsMsg, DeliverPolicy } from '@nats-io/jetstream';
import { systemClock, trackBackgroundWork } from '@parley/clock';
import { decided, invalid } from '@parley/errors';
import { type Broker, connectBroker, decodeEvent, encodeMessage, type Event, startFollower } from '@parley/events';
import { newId } from '@parley/secrets';
import { connectMongo } from '@parley/mongo';
import { startTelemetry } from '@parley/telemetry';
import { testMongo, type TestNats, testNats, uniqueName } from '@parley/testkit';
import { type Aggregates, openAggregates, type Relay, startRelay } from '../src/index.ts';
import type { Stored } from '../src/stored/bookkeeping.ts';
import type { PublishBudget } from '../src/relay/outbox-publisher.ts';

/** An aggregate for tests. */
export interface Contact {
  readonly id: string;
  readonly companyId: string;
  readonly phone: string;
  readonly changes: number;
  readonly note?: string;
  readonly tags?: readonly string[];
}

export type ContactFact = 'created' | 'updated' | 'deleted';
export type Contacts = Aggregates<Contact, ContactFact>;

export const phoneTaken = invalid({ phone: ['has already been taken'] });

export const newContact = (details: Partial<Contact> = {}): Contact => ({
  id: newId('con'),
  companyId: 'com_1',
  phone: newId('phone'),
  changes: 0,
  ...details,
});

/** One more change with its event. */
export const changed = (contact: Contact) =>
  decided<Contact, ContactFact>({ ...contact, changes: contact.changes + 1 }, ['updated']);

export interface OutboxOptions {
  nats?: TestNats;
  mongoUrl?: string;
  /** To MongoDB, at the most. */
  connections?: number;
  streamBytesMax?: number;
  budget?: PublishBudget;
  /** Contacts that are cached. */
  recentMax?: number;
}

/** A service's database, broker, relay and contacts, and further ones on request. */
export async function startOutbox({ nats = testNats(), mongoUrl, connections = 50, ...more }: OutboxOptions = {}) {
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'info', logDestination });
  const shared = testMongo();
  const database = mongoUrl === undefined ? shared.database('outbox').databaseName : 'outbox';
  const url = `${mongoUrl ?? shared.url}&maxPoolSize=${connections}`;
  const mongo = await connectMongo({ url, database, telemetry });
  const { db } = mongo;
  const prefix = uniqueName('t').replace('_', '-');
  const endings: (() => Promise<unknown>)[] = [];

  const connect = async (): Promise<Broker> => {
    const broker = await connectBroker({
      ...nats,
      ...(more.streamBytesMax !== undefined && { streamBytesMax: more.streamBytesMax }),
      prefix,
      name: 'test',
      log: telemetry.log,
    });
    endings.push(() => broker.close());
    return broker;
  };
  const broker = await connect();

  /** Another process of the service would have these. */
  async function startReplica(
    own: Broker = broker,
  ): Promise<{ relay: Relay; contacts: Contacts; backgroundWork: TrackedWork; stop(): Promise<void> }> {
    const backgroundWork = trackBackgroundWork();
    const relay = await startRelay({
      service: 'directory',
      db,
      broker: own,
      backgroundWork,
      telemetry,
      ...(more.budget && { budget: more.budget }),
    });
    const stop = () => relay.stop();
    endings.push(stop);
    const contacts = await openAggregates<Contact, ContactFact>({
      db,
      collection: 'contacts',
      relay,
      clock: systemClock,
      recentMax: more.recentMax ?? 100,
      encode: (fact) => encodeMessage(`directory.contact.${fact}`, { contact: { name: fact } }),
      indexes: [{ name: 'phone', key: { companyId: 1, phone: 1 }, unique: true }],
      collisions: { phone: phoneTaken },
    });
    return { relay, contacts, backgroundWork, stop };
  }

  return {
    ...(await startReplica()),
    startReplica,
    db,
    broker,
    connect,
    lines,
    /** Contacts as they are stored, bookkeeping included. */
    stored: db.collection<Stored<Contact>>('contacts'),

    /** Everything in the stream, in its order. */
    async published(): Promise<Event[]> {
      const { state } = await broker.manager.streams.info(broker.stream('directory'));
      if (state.messages === 0) return [];
      const consumer = await broker.jetstream.consumers.get(broker.stream('directory'), {
        deliver_policy: DeliverPolicy.All,
      });
      const events: Event[] = [];
      const messages = await consumer.fetch({ max_messages: state.messages, expires: 5000 });
      for await (const message of messages as AsyncIterable<JsMsg>) events.push(decodeEvent(message.data));
      return events;
    },

    /** Follows contacts and notes the numbers it applies, by aggregate. */
    async follow() {
      const applied: Record<string, number[]> = {};
      const backgroundWork = trackBackgroundWork();
      const note = async (_message: unknown, { aggregateId, aggregateSequence }: Event) =>
        void (applied[aggregateId] ??= []).push(aggregateSequence);
      const handlers = Object.fromEntries(
        ['created', 'updated', 'deleted'].map((fact) => [`directory.contact.${fact}`, note]),
      );
      const follower = await startFollower({ name: 'test-contacts', broker, db, handlers, backgroundWork, telemetry });
      endings.push(() => follower.stop());
      const count = () => Object.values(applied).reduce((sum, numbers) => sum + numbers.length, 0);
      return { applied, backgroundWork, count, stop: () => follower.stop() };
    },

    async end() {
      if (broker.connected()) await broker.manager.streams.delete(broker.stream('directory')).catch(() => undefined);
      await endInOrder([...endings.reverse(), () => mongo.close(), () => shared.close(), () => telemetry.stop()]);
    },
  };
}

/** Runs all cleanups, also after a failing one: open handles would keep the test run alive. */
async function endInOrder(endings: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const ending of endings) await ending().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'could not end cleanly');
}

type TrackedWork = ReturnType<typeof trackBackgroundWork>;
export type Outbox = Awaited<ReturnType<typeof startOutbox>>;

/** 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
