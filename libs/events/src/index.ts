export { type AuditEvent, auditEventOf, auditEventToProto } from './event/audit-event.ts';
export { endedCredentials } from './event/ended-credentials.ts';
export { decodeEvent, encodeEvent, type Event, nounOf, PARTITIONS } from './event/envelope.ts';
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
export { type Broker, connectBroker, type StreamState } from './broker/broker.ts';
export { natsPermissions, natsServices } from './broker/nats-permissions.ts';
export type {
  BatchHandler,
  DecodedEvent,
  EventHandler,
  EventHandlers,
  FollowerOptions,
} from './applying/event-handlers.ts';
export { type Follower, startFollower } from './follower/follower.ts';
export { removeDeadLetters } from './applying/dead-letters.ts';
export { removeFromStream } from './reading/event-pages.ts';
export { ANY_COMPANY, type CachedAnswers, cachedAnswers } from './cached-answers/cached-answers.ts';
