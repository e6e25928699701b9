export { type Broker, type BrokerOptions, connectBroker } from './broker.ts';
export type { DeadLetter, DeadLetters } from './dead-letters.ts';
export { decodeEvent, encodeEvent, type Event, nounOf } from './envelope.ts';
export type { EventHandler } from './event-handler.ts';
export { type Follower, type FollowerOptions, startFollower } from './follower.ts';
