import { contextFrom, SpanKind } from '@parley/telemetry';
import type { Event } from '../event/envelope.ts';
import { decodeMessage, type EventType } from '../event/event-types.ts';
import type { BatchHandler, DecodedEvent, EventHandler, FollowerOptions } from './follower-options.ts';

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
