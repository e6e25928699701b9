import type { BackgroundWork } from '@parley/clock';
import type { BatchOptions } from '@parley/queues';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { Broker } from '../broker/broker.ts';
import type { Event } from '../event/envelope.ts';
import { decodeMessage, type EventMessage, type EventType } from '../event/event-types.ts';

/**
 * Applies one event. It may see the same event again after a crash, so it writes under ids made from the event's own.
 */
export type EventHandler<Type extends EventType> = (message: EventMessage<Type>, event: Event) => Promise<void>;

/** A handler for each event type that a follower applies. */
export type EventHandlers = { readonly [Type in EventType]?: EventHandler<Type> };

/** A decoded event with its type. */
export type DecodedEvent = {
  readonly [Type in EventType]: { readonly type: Type; readonly message: EventMessage<Type>; readonly event: Event };
}[EventType];

/** Applies the events that are there, in order within each aggregate. When it fails, it gets each of them alone. */
export interface BatchHandler {
  readonly types: readonly EventType[];
  /** `aggregate`: the events of a batch are of one aggregate, so that a slow one does not delay the others. */
  readonly batchPer: 'follower' | 'aggregate';
  /** Like a handler, it may see events again. */
  handleBatch(events: readonly DecodedEvent[]): Promise<void>;
}

export interface FollowerOptions {
  /** `<service>-<purpose>`; the same in every replica. */
  name: string;
  broker: Broker;
  db: Db;
  /** The first segment of an event type is the stream. */
  handlers: EventHandlers | BatchHandler;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /**
   * Selects the events to apply; the others cost no further work. Only for handlers that need not see every event of an aggregate:
   * gaps are normal then, and not waited for.
   */
  relevant?: (events: readonly Event[]) => Promise<readonly boolean[]>;
  /**
   * True for an event that has no further effect when it and those after it are applied again, whenever that is. Positions of such events cost
   * less: within a minute after the first one of an aggregate they are not read, and they are saved while the next events are applied.
   */
  toleratesReplay?: (event: Event) => boolean;
  /**
   * For a handler of batches that finds out by what it has stored whether an event is newer. Events are applied as they arrive, and positions
   * are kept only of aggregates with an event that has failed.
   */
  withoutPositions?: boolean;
  /** The attempts of a failing event before it becomes a dead letter; the next ones of its aggregate wait as long. */
  triesMax?: number;
  retryDelayMs?: (tries: number) => number;
  /** An event waits this long for a missing predecessor before the gap is accepted. */
  gapWaitMs?: number;
  /** How events are collected, so that many share a round trip to the database. */
  batching?: Pick<BatchOptions<never>, 'max' | 'waitMs' | 'frequentMs' | 'spacingMs'>;
}

/** Returns what applies events with the handlers of a follower, those of types without one excepted. */
export function applyEvents(options: Pick<FollowerOptions, 'name' | 'handlers' | 'telemetry'>) {
  const { name, handlers, telemetry } = options;
  const { types, handleBatch } = toBatchHandler(handlers);
  const handled: ReadonlySet<string> = new Set(types);
  const delay = telemetry.meter.createHistogram('parley_follower_delay_seconds', { unit: 's' });
  return async (events: readonly Event[]): Promise<void> => {
    const own = events.filter(({ type }) => handled.has(type));
    const [first] = own;
    if (!first) return;
    for (const { occurredAt } of own)
      delay.record(Math.max(0, Date.now() - occurredAt.getTime()) / 1000, { follower: name });
    const attributes =
      own.length === 1 ? { 'messaging.message.id': first.id } : { 'messaging.batch.message_count': own.length };
    await telemetry.span(
      `${name} ${own.length === 1 ? first.type : 'events'}`,
      {
        kind: SpanKind.CONSUMER,
        parent: contextFrom(first.traceparent),
        attributes: { 'messaging.system': 'nats', ...attributes },
      },
      () => handleBatch(own.map(decoded)),
    );
  };
}

/** Handlers as one of batches, which have one event each then. */
export function toBatchHandler(handlers: FollowerOptions['handlers']): Omit<BatchHandler, 'batchPer'> & {
  readonly batchPer: BatchHandler['batchPer'] | 'event';
} {
  if ('handleBatch' in handlers) return handlers;
  return {
    types: Object.keys(handlers) as EventType[],
    batchPer: 'event',
    async handleBatch(events) {
      for (const { type, message, event } of events)
        await (handlers[type] as EventHandler<EventType> | undefined)?.(message, event);
    },
  };
}

/** Of a type that has a handler. */
function decoded(event: Event): DecodedEvent {
  const type = event.type as EventType;
  return { type, message: decodeMessage(type, event.data), event } as DecodedEvent;
}
