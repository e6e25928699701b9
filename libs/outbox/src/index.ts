export { type Aggregates, type AggregatesOptions, type CompanyAggregates, openAggregates } from './aggregates.ts';
export {
  type CommandContext,
  type CommandHandler,
  type CommandHandlers,
  NotAvailable,
  type RunningCommands,
  type UnknownOutcome,
} from './commands.ts';
export type { Aggregate, Stored } from './document.ts';
export type { EncodedEvent } from './outbox-writes.ts';
export type { TimerHandlers } from './timers.ts';
export { type Relay, startRelay } from './relay.ts';
