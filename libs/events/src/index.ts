export { type Broker, type BrokerOptions, connectBroker, type StreamState } from './broker.ts';
export type { DeadLetter, DeadLetters } from './dead-letters.ts';
export { decodeEvent, encodeEvent, type Event, nounOf } from './envelope.ts';
export type { EventHandler, EventHandlers } from './event-handler.ts';
export {
  decodeMessage,
  type EncodedMessage,
  encodeMessage,
  type EventMessage,
  type EventMessageInit,
  type EventType,
  isEventType,
} from './event-types.ts';
export { type Follower, type FollowerOptions, startFollower } from './follower.ts';
export { natsPermissions, type NatsPermissions, natsServices } from './nats-permissions.ts';
