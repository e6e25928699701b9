import { AckPolicy, type Consumer, type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Activity } from '@parley/clock';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { Broker } from './broker.ts';
import { type DeadLetters, openDeadLetters } from './dead-letters.ts';
import { decodeEvent, type Event } from './envelope.ts';
import { advance, place, type Position } from './position.ts';
import { openPositions } from './positions-store.ts';

/** Applies one event. It may see the same event again after a crash, so it writes under ids made from the event's own. */
export type EventHandler = (event: Event) => Promise<void>;

export interface FollowerOptions {
  /** `<service>-<purpose>`; the durable name, the same in every replica. */
  name: string;
  broker: Broker;
  db: Db;
  /** Event type to handler; its first word names the stream. */
  handlers: Readonly<Record<string, EventHandler>>;
  activity: Activity;
  telemetry: Telemetry;
}

export interface Follower {
  readonly name: string;
  readonly deadLetters: DeadLetters;
  stop(): Promise<void>;
}

const BATCH_MAX = 100;
const ACK_WAIT_MS = 30_000;
/** How often an event that came before its predecessor is put back (100 ms, doubled) before the gap is accepted. */
const EARLY_RETURNS_MAX = 6;
/** How often a failing event is tried, over about eight minutes, before it becomes a dead letter. */
const TRIES_MAX = 20;

/**
 * Follows the events of other services: each is applied once, in order within its aggregate. A broker that comes back
 * empty costs nothing: the follower's own positions say what is new.
 */
export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { name, broker, db, handlers, activity, telemetry } = options;
  const positions = await openPositions(db, name);
  const deadLetters = await openDeadLetters(db, name, handlers, telemetry);
  const streams = new Set(Object.keys(handlers).map((type) => type.split('.')[0] ?? ''));
  const waiting: JsMsg[] = [];
  const consumers = new Map<string, { consumer: Consumer; messages: ConsumerMessages }>();
  let stopped = false;
  let pumping: Promise<void> | undefined;

  async function apply(event: Event): Promise<void> {
    const handler = handlers[event.type];
    if (!handler) return;
    await telemetry.span(
      `${name} ${event.type}`,
      {
        kind: SpanKind.CONSUMER,
        parent: contextFrom(event.traceparent),
        attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      },
      () => handler(event),
    );
  }

  /** One aggregate's events in the order they arrived; the first that cannot be applied sends the rest back too. */
  async function applyInOrder(items: { message: JsMsg; event: Event }[], from: Position): Promise<Position> {
    let position = from;
    for (const [index, { message, event }] of items.entries()) {
      const where = place(position, event.aggregateSequence);
      if (where === 'applied') continue;
      if (where === 'early' && message.info.deliveryCount <= EARLY_RETURNS_MAX) {
        items
          .splice(index)
          .forEach(({ message: early }) => early.nak(100 * 2 ** Math.min(message.info.deliveryCount - 1, 6)));
        break;
      }
      try {
        await apply(event);
      } catch (error) {
        if (message.info.deliveryCount < TRIES_MAX) {
          telemetry.log.warn(
            { err: error, follower: name, event: event.id, type: event.type, tries: message.info.deliveryCount },
            'event not applied; it comes again',
          );
          items
            .splice(index)
            .forEach(({ message: later }) => later.nak(Math.min(100 * 2 ** message.info.deliveryCount, 30_000)));
          break;
        }
        await deadLetters.add(event, error);
      }
      position = advance(position, event.aggregateSequence);
    }
    return position;
  }

  async function applyBatch(batch: JsMsg[]): Promise<void> {
    const byAggregate = Map.groupBy(decodeAll(batch), ({ event }) => event.aggregateId);
    const before = await positions.read([...byAggregate.keys()]);
    const after = await Promise.all(
      [...byAggregate].map(
        async ([aggregateId, items]) => [aggregateId, await applyInOrder(items, before(aggregateId))] as const,
      ),
    );
    await positions.write(after.filter(([aggregateId, position]) => position !== before(aggregateId)));
    for (const { message } of [...byAggregate.values()].flat()) message.ack();
  }

  function decodeAll(batch: JsMsg[]): { message: JsMsg; event: Event }[] {
    return batch.flatMap((message) => {
      try {
        return [{ message, event: decodeEvent(message.data) }];
      } catch (error) {
        telemetry.log.error({ err: error, follower: name, subject: message.subject }, 'not an event; dropped');
        message.term('not an event');
        return [];
      }
    });
  }

  async function pump(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        await activity.during(() => applyBatch(batch));
      } catch (error) {
        telemetry.log.warn({ err: error, follower: name }, 'batch not applied; it comes again');
        batch.forEach((message) => message.nak(500));
      }
    }
  }

  async function attach(stream: string): Promise<void> {
    await broker.ensureStream(stream);
    const config = {
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 1000,
      filter_subjects: Object.keys(handlers)
        .filter((type) => type.startsWith(`${stream}.`))
        .map((type) => broker.subject(type)),
    };
    await broker.manager.consumers.add(broker.stream(stream), { durable_name: name, ...config });
    const consumer = await broker.jetstream.consumers.get(broker.stream(stream), name);
    const messages = await consumer.consume({
      max_messages: 500,
      idle_heartbeat: 5000,
      callback: (message) => {
        waiting.push(message);
        pumping ??= pump().finally(() => (pumping = undefined));
      },
    });
    consumers.set(stream, { consumer, messages });
  }

  /** Keeps a stream's consumer alive: a lost stream or consumer is made again and read from its beginning. */
  async function stayAttached(stream: string): Promise<void> {
    while (!stopped) {
      try {
        await attach(stream);
        const current = consumers.get(stream);
        if (current) await lostOrClosed(current);
      } catch (error) {
        if (!stopped && broker.connected())
          telemetry.log.warn({ err: error, follower: name, stream }, 'cannot follow; trying again');
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  async function lostOrClosed({
    consumer,
    messages,
  }: {
    consumer: Consumer;
    messages: ConsumerMessages;
  }): Promise<void> {
    const gone = (async () => {
      for await (const status of messages.status()) {
        if (['consumer_not_found', 'consumer_deleted', 'stream_not_found'].includes(status.type)) return;
        if (status.type === 'heartbeats_missed' && broker.connected() && !(await exists(consumer))) return;
      }
    })();
    await Promise.race([gone, messages.closed()]);
    messages.stop();
  }

  /** After a reconnect the broker may have lost its disk: whatever is gone is made again at once. */
  broker.onReconnect(() => {
    for (const { consumer, messages } of consumers.values()) {
      void exists(consumer).then((there) => there || messages.stop());
    }
  });
  const attachments = [...streams].map((stream) => stayAttached(stream));
  const pending = () => backlog(consumers);
  activity.addBacklog(pending);
  telemetry.meter
    .createObservableGauge('parley_follower_pending')
    .addCallback(async (result) => result.observe(await pending(), { follower: name }));
  return {
    name,
    deadLetters,
    async stop() {
      stopped = true;
      for (const { messages } of consumers.values()) messages.stop();
      await Promise.race([Promise.all(attachments), new Promise((resolve) => setTimeout(resolve, 1000))]);
      await pumping;
    },
  };
}

async function exists(consumer: Consumer): Promise<boolean> {
  return consumer.info().then(
    () => true,
    () => false,
  );
}

async function backlog(consumers: Map<string, { consumer: Consumer }>): Promise<number> {
  const infos = await Promise.all(
    [...consumers.values()].map(({ consumer }) => consumer.info().catch(() => undefined)),
  );
  return infos.reduce((sum, info) => sum + (info ? info.num_pending + info.num_ack_pending : 0), 0);
}
