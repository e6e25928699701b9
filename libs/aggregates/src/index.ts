export { type Aggregates, openAggregates } from './aggregates/aggregates.ts';
export {
  type CommandContext,
  type CommandHandler,
  NotAvailable,
  type RunningCommands,
  type UnknownOutcome,
} from './commands/command-handlers.ts';
export {
  type BulkFilter,
  type Documents,
  type GlobalDocuments,
  openDocuments,
  openGlobalDocuments,
  type PlainDocuments,
} from './documents/documents.ts';
export type { CachedFinder } from './documents/cached-finder.ts';
export type { DueClaim } from './documents/maintenance.ts';
export type { DocumentFilter, NoEffects, ScopedDocuments } from './documents/scoped-documents.ts';
export { dueIndex, type DueWork } from './due/due-work.ts';
export { isFree, type Lease, newLease } from './stored/bookkeeping.ts';
export { type Due, dueIn } from '@parley/errors';
export type { Entity } from './stored/stored-document.ts';
export { createInFreeSlot, inFreeSlot, slotTaken } from './documents/slots.ts';
export { type EventRemoval, type Relay, relayMigrations, startRelay } from './relay/relay.ts';
