export { type AuditEvent, auditEventOf, auditEventToProto } from './event/audit-event.ts';
export { endedCredentials } from './event/ended-credentials.ts';
export { decodeEvent, encodeEvent, type Event, nounOf } from './event/envelope.ts';
export {
  decodeMessage,
  type EncodedMessage,
  encodeMessage,
  type EventMessage,
  type EventMessageInit,
  type EventType,
  eventTypeNames,
  isEventType,
} from './event/event-types.ts';
export { type Broker, type BrokerOptions, connectBroker, type StreamState } from './broker/broker.ts';
export { PARTITIONS } from './broker/partition.ts';
export { natsPermissions, type NatsPermissions, natsServices } from './broker/nats-permissions.ts';
export type {
  BatchHandler,
  DecodedEvent,
  EventHandler,
  EventHandlers,
  FollowerOptions,
} from './applying/event-handlers.ts';
export { type Follower, startFollower } from './follower/follower.ts';
export { type DeadLetter, type DeadLetters, removeDeadLetters } from './applying/dead-letters.ts';
export { removeFromStream } from './reading/remove-from-stream.ts';
export { ANY_COMPANY, type CachedAnswers, cachedAnswers } from './cached-answers/cached-answers.ts';
