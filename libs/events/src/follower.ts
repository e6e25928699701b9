import type { BackgroundWork } from '@parley/clock';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { attachToStream, type Delivery } from './attachment.ts';
import type { Broker } from './broker.ts';
import { type DeadLetters, openDeadLetters } from './dead-letters.ts';
import type { EventHandler, EventHandlers } from './event-handler.ts';
import { decodeEvent, type Event, nounOf } from './envelope.ts';
import { decodeMessage, type EventType, isEventType } from './event-types.ts';
import { trackGaps } from './gaps.ts';
import { advance, lastApplied, place, type Position } from './position.ts';
import { openPositions, type Progress } from './positions-store.ts';

/** Who follows what, and how patiently. */
export interface FollowerOptions {
  /** `<service>-<purpose>`; the durable name, the same in every replica. */
  name: string;
  broker: Broker;
  db: Db;
  /** Event type to handler; its first word names the stream. */
  handlers: EventHandlers;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** How often a failing event is tried before it becomes a dead letter; those behind it wait as long. */
  triesMax?: number;
  /** How long it is put back after it has failed so many times. */
  retryDelayMs?: (tries: number) => number;
  /** How long an event waits for a missing predecessor before the gap is accepted. */
  gapWaitMs?: number;
  /** After this the broker takes a silent replica for dead; one that is alive speaks up three times as often. */
  ackWaitMs?: number;
}

/** A follower that runs until it is stopped. */
export interface Follower {
  readonly name: string;
  readonly deadLetters: DeadLetters;
  /** Finishes what is in hand; what was not begun goes to another replica, or waits for the next start. */
  stop(): Promise<void>;
}

interface Item {
  readonly delivery: Delivery;
  readonly event: Event;
}

const BATCH_MAX = 100;
/** With the delays below this is a little more than six minutes. */
const TRIES_MAX = 20;
const retryDelay = (tries: number) => Math.min(100 * 2 ** tries, 30_000);
const GAP_WAIT_MS = 10_000;
const ACK_WAIT_MS = 10_000;
/** An aggregate never met before has most likely lost its first events to old age, not to another replica. */
const UNKNOWN_WAIT_SHARE = 0.2;
const earlyDelay = (deliveries: number) => Math.min(50 * 2 ** deliveries, 5000);
/** A failing event that is this late has been lost on its way; those behind it need not wait for it any longer. */
const FAILING_LATE_MS = 60_000;

/**
 * Follows the events of other services: each is applied once, in order within its aggregate and noun. A broker that comes
 * back empty costs nothing: the follower's own positions say what is new.
 */
export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { name, broker, db, handlers, backgroundWork, telemetry } = options;
  const { triesMax = TRIES_MAX, retryDelayMs = retryDelay } = options;
  const { gapWaitMs = GAP_WAIT_MS, ackWaitMs = ACK_WAIT_MS } = options;
  const positions = await openPositions(db, name, backgroundWork, telemetry.log);
  const deadLetters = await openDeadLetters(db, name, { apply, handles: (type) => type in handlers }, telemetry);
  const gaps = trackGaps();
  const waiting: Delivery[] = [];
  const inHand = new Set<Delivery>();
  let stopped = false;
  let pumping: Promise<void> | undefined;

  async function apply(event: Event): Promise<void> {
    if (!isEventType(event.type)) return;
    const type = event.type;
    const handler = handlers[type] as EventHandler<EventType> | undefined;
    if (!handler) return;
    await telemetry.span(
      `${name} ${event.type}`,
      {
        kind: SpanKind.CONSUMER,
        parent: contextFrom(event.traceparent),
        attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      },
      () => handler(decodeMessage(type, event.data), event),
    );
  }

  function mustWait({ event }: Item, position: Position, { failing, known }: Progress): boolean {
    if (failing && failing.sequence > position.sequence && failing.until > new Date()) return true;
    const missing = lastApplied(position) + 1;
    if (gaps.missedForMs(lineOf(event), missing) < (known ? gapWaitMs : gapWaitMs * UNKNOWN_WAIT_SHARE)) return true;
    if (known)
      telemetry.log.warn({ follower: name, event: event.id, missing }, 'an event is missing; going on without it');
    return false;
  }

  /** Whether it is done with: applied now, or given up on. One that is to be tried again is not. */
  async function tryToApply({ event, delivery }: Item, { failing }: Progress): Promise<boolean> {
    try {
      await apply(event);
      return true;
    } catch (error) {
      const tries = (failing?.sequence === event.aggregateSequence ? failing.tries : 0) + 1;
      if (tries >= triesMax) {
        await deadLetters.add(event, error);
        return true;
      }
      const fields = { err: error, follower: name, event: event.id, type: event.type, tries };
      telemetry.log.warn(fields, 'event not applied; it comes again');
      const delayMs = retryDelayMs(tries);
      const until = new Date(Date.now() + delayMs + FAILING_LATE_MS);
      await positions.failed(lineOf(event), { sequence: event.aggregateSequence, tries, until });
      delivery.nak(delayMs);
      return false;
    }
  }

  /** The events of one line in their order; the first that has to wait makes the rest wait. */
  async function applyInOrder(items: Item[], progress: Progress): Promise<{ position: Position; done: Delivery[] }> {
    const done: Delivery[] = [];
    let { position } = progress;
    const inOrder = items.toSorted((a, b) => a.event.aggregateSequence - b.event.aggregateSequence);
    for (const [index, item] of inOrder.entries()) {
      const { aggregateSequence } = item.event;
      const where = place(position, aggregateSequence);
      if (where !== 'applied') {
        const late = where === 'early' && mustWait(item, position, progress);
        if (late || !(await tryToApply(item, progress))) {
          putBack(inOrder.slice(late ? index : index + 1).map(({ delivery }) => delivery));
          break;
        }
        position = advance(position, aggregateSequence);
        gaps.closed(lineOf(item.event));
      }
      done.push(item.delivery);
    }
    return { position, done };
  }

  function putBack(deliveries: Delivery[]): void {
    for (const delivery of deliveries) delivery.nak(earlyDelay(delivery.message.info.deliveryCount));
  }

  async function applyBatch(batch: Delivery[]): Promise<void> {
    const lines = Map.groupBy(decodeAll(batch), ({ event }) => lineOf(event));
    const progressOf = await positions.read([...lines.keys()]);
    const results = await Promise.all(
      [...lines].map(async ([line, items]) => {
        const progress = progressOf(line);
        try {
          const { position, done } = await applyInOrder(items, progress);
          return { line, position, done, moved: position !== progress.position };
        } catch (error) {
          notApplied(
            error,
            items.map(({ delivery }) => delivery),
          );
          return undefined;
        }
      }),
    );
    const applied = results.filter((result) => result !== undefined);
    await positions.write(applied.filter(({ moved }) => moved).map(({ line, position }) => [line, position] as const));
    for (const { done } of applied) for (const delivery of done) delivery.ack();
  }

  function notApplied(error: unknown, deliveries: Delivery[]): void {
    telemetry.log.warn({ err: error, follower: name }, 'events not applied; they come again');
    putBack(deliveries);
  }

  function decodeAll(batch: Delivery[]): Item[] {
    return batch.flatMap((delivery) => {
      try {
        return [{ delivery, event: decodeEvent(delivery.message.data) }];
      } catch (error) {
        const { subject } = delivery.message;
        telemetry.log.error({ err: error, follower: name, subject }, 'not an event; dropped');
        delivery.term('not an event');
        return [];
      }
    });
  }

  async function pumpAll(): Promise<void> {
    while (waiting.length > 0 && !stopped) {
      const batch = waiting.splice(0, BATCH_MAX);
      batch.forEach((delivery) => inHand.add(delivery));
      await backgroundWork.during(() => applyBatch(batch)).catch((error: unknown) => notApplied(error, batch));
      inHand.clear();
    }
  }

  function pump(): void {
    pumping ??= pumpAll().finally(() => {
      pumping = undefined;
      if (waiting.length > 0 && !stopped) pump(); // delivered after the last look, before it ended
    });
  }

  const types = Object.keys(handlers);
  const attachments = [...Map.groupBy(types, (type) => type.split('.')[0] ?? '')].map(([service, own]) =>
    attachToStream({
      name,
      service,
      nouns: [...new Set(own.map(nounOf))],
      broker,
      ackWaitMs,
      log: telemetry.log,
      onDelivery: (delivery) => {
        waiting.push(delivery);
        pump();
      },
    }),
  );
  const stillAtIt = setInterval(() => {
    for (const delivery of [...inHand, ...waiting]) delivery.working();
  }, ackWaitMs / 3);
  const pending = async () => {
    const counts = await Promise.all(attachments.map((attachment) => attachment.backlog()));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  backgroundWork.addBacklog(pending);
  telemetry.meter
    .createObservableGauge('parley_follower_pending')
    .addCallback(async (result) => result.observe(await pending(), { follower: name }));
  return {
    name,
    deadLetters,
    async stop() {
      stopped = true;
      await Promise.all(attachments.map((attachment) => attachment.stop()));
      await pumping;
      clearInterval(stillAtIt);
      for (const delivery of waiting.splice(0)) delivery.nak(0);
      await positions.stop();
    },
  };
}

/** What is numbered, and so followed, on its own: an aggregate's events of one noun. */
function lineOf({ aggregateId, type }: Event): string {
  return `${aggregateId}:${nounOf(type)}`;
}
