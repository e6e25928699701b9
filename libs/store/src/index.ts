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
} from './background-work/due-work.ts';
export { type Due, dueIn } from './background-work/due.ts';
export { startExpirySweep } from './background-work/expiry.ts';
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
export { coalesce } from './queues/coalesce.ts';
export { type FairQueue, fairQueue } from './queues/fair-queue.ts';
export { type KeyedQueue, keyedQueue } from './queues/keyed-queue.ts';
export { connectMongo, type Mongo, QUERY_TIME_MAX_MS } from './mongo/connection.ts';
export { collidedIndex, isUnreachable, whileUnreachable } from './mongo/mongo-errors.ts';
