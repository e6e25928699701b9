export type {
  ClaimedWorkOptions,
  DocumentDueWorkOptions,
  DueClaim,
  ExpiryOptions,
  FieldRemovalOptions,
} from './documents/document-maintenance.ts';
export {
  type BulkFilter,
  type CompanyDocuments,
  type DocumentFilter,
  type Documents,
  type DocumentsOptions,
  type ExtendedDocuments,
  type GlobalDocuments,
  type NoEffects,
  openDocuments,
  openExtendedDocuments,
  openGlobalDocuments,
  type PlainDocuments,
  type ScopedDocuments,
} from './documents/documents.ts';
export { type Cursors, signedCursors } from './documents/signed-cursors.ts';
export type { BulkOperations, PageOptions } from './writes/bulk-operations.ts';
export type { DocumentExtension, DocumentWriter, ExtraWrite, Revision } from './writes/document-writer.ts';
export { byIds, valueById, replaceIf } from './writes/guarded-update.ts';
export { type CompanyEntity, type Entity, type StoredDocument, toState } from './writes/stored-document.ts';
export {
  type DueDocument,
  dueIndex,
  type DueLease,
  type DueWork,
  type DueWorkOptions,
  startDueWork,
} from './due-work/due-work.ts';
export { type Due, dueIn } from './due-work/due.ts';
export {
  type Limit,
  type LimitOutcome,
  openRollingLimit,
  openRollingLimits,
  type RollingLimit,
  type RollingLimitOptions,
  type RollingLimits,
} from './limits/rolling-limit.ts';
export { createInFreeSlot, openSlots, type SlotOptions, slotTaken } from './limits/slots.ts';
export { openUsageQuota, type UsageQuota, type UsageQuotaOptions } from './limits/usage-quota.ts';
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
export type { EncodedEvent } from './outbox/outbox-writes.ts';
export type { Aggregate, Stored } from './bookkeeping/bookkeeping.ts';
