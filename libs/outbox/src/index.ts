export { type Aggregates, type AggregatesOptions, type CompanyAggregates, openAggregates } from './aggregates.ts';
export type { Aggregate, Stored } from './document.ts';
export type { EncodedEvent } from './outbox-writes.ts';
export { type Relay, startRelay } from './relay.ts';
