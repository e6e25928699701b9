import type { Event } from '../event/envelope.ts';
import type { EventMessage, EventType } from '../event/event-types.ts';

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

/** Applies events of many aggregates at once; like a handler, it may see them again. */
export type EventsHandler = (events: readonly DecodedEvent[]) => Promise<void>;
