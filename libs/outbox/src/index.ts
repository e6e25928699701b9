export {
  type Aggregates,
  type AggregatesOptions,
  type CompanyAggregates,
  type EncodedEvent,
  openAggregates,
} from './aggregates.ts';
export type { Aggregate, Stored } from './document.ts';
export { type Relay, startRelay } from './relay.ts';
