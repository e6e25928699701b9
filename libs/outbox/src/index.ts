export {
  type Aggregates,
  type AggregatesOptions,
  type CompanyAggregates,
  openAggregates,
} from './aggregates/aggregates.ts';
export {
  type CommandContext,
  type CommandHandler,
  type CommandHandlers,
  NotAvailable,
  type RunningCommands,
  type UnknownOutcome,
} from './commands/command-handlers.ts';
export type { TimerHandlers } from './timers/timer-firing.ts';
export { type EventRemoval, type Relay, startRelay } from './relay/relay.ts';
export type { EncodedEvent } from './writes/outbox-writes.ts';
export type { Aggregate, Stored } from './bookkeeping/bookkeeping.ts';
