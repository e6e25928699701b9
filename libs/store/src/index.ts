export type { BulkOperations, PageOptions } from './bulk-operations.ts';
export { coalesce } from './coalesce.ts';
export { type Cursors, signedCursors } from './cursor.ts';
export { type CompanyEntity, type Entity, type StoredDocument, toState } from './document.ts';
export type {
  ClaimedWorkOptions,
  DocumentDueWorkOptions,
  DueClaim,
  ExpiryOptions,
  FieldRemovalOptions,
} from './document-maintenance.ts';
export type { DocumentExtension, DocumentWriter, ExtraWrite, Revision } from './document-writer.ts';
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
} from './documents.ts';
export { type Due, dueIn } from './due.ts';
export {
  type DueDocument,
  dueIndex,
  type DueLease,
  type DueWork,
  type DueWorkOptions,
  startDueWork,
} from './due-work.ts';
export { startExpirySweep } from './expiry.ts';
export { byIds, valueById, replaceIf } from './guarded-update.ts';
export { type KeyedQueue, keyedQueue } from './keyed-queue.ts';
export { connectMongo, type Mongo, QUERY_TIME_MAX_MS } from './mongo.ts';
export { collidedIndex, isUnreachable, whileUnreachable } from './retry.ts';
export {
  type Limit,
  type LimitOutcome,
  openRollingLimit,
  openRollingLimits,
  type RollingLimit,
  type RollingLimitOptions,
  type RollingLimits,
} from './rolling-limit.ts';
export { openUsageQuota, type UsageQuota, type UsageQuotaOptions } from './usage-quota.ts';
export { createInFreeSlot, openSlots, type SlotOptions, slotTaken } from './slots.ts';
export { type FairQueue, fairQueue } from './fair-queue.ts';
