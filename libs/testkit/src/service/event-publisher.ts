import {
  type Broker,
  decodeEvent,
  encodeMessage,
  type Event,
  type EventMessageInit,
  type EventType,
} from '@parley/events';
import { newId } from '@parley/secrets';

/** The aggregate of an event. Defaults are generated; sequences have no gaps. */
export type EventAbout = Pick<Event, 'companyId' | 'aggregateId'> &
  Partial<Pick<Event, 'id' | 'aggregateSequence' | 'occurredAt' | 'actor' | 'audit'>>;

/** Publishes an event of another service, as that service would. */
export type PublishEvent = <Type extends EventType>(
  type: Type,
  message: EventMessageInit<Type>,
  about: EventAbout,
) => Promise<Event>;

export function eventPublisher(broker: Broker): PublishEvent {
  const sequences = new Map<string, number>();
  const streams = new Map<string, Promise<unknown>>();
  return async (type, message, about) => {
    const key = `${type.slice(0, type.lastIndexOf('.'))} ${about.aggregateId}`;
    const aggregateSequence = about.aggregateSequence ?? (sequences.get(key) ?? 0) + 1;
    sequences.set(key, aggregateSequence);
    const event = {
      id: newId('evt'),
      occurredAt: new Date(),
      traceparent: undefined,
      ...about,
      aggregateSequence,
      ...encodeMessage(type, message),
    };
    const service = type.slice(0, type.indexOf('.'));
    if (!streams.has(service)) streams.set(service, broker.ensureStream(service));
    await streams.get(service);
    await broker.publish(event);
    return event;
  };
}

/** Records what is published from now on, in order; a repeated event counts once. `type` may be `service.noun.*`. */
export async function recordEvents<Recorded>(
  broker: Broker,
  type: string,
  record: (event: Event) => Recorded,
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const seen = new Set<string>();
  broker.connection.subscribe(broker.eventPattern(type), {
    callback: (_error, message) => {
      const event = decodeEvent(message.data);
      if (!seen.has(event.id)) recorded.push(record(event));
      seen.add(event.id);
    },
  });
  await broker.connection.flush();
  return recorded;
}
