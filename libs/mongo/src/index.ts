export { buildIndexes, type IndexCatalog } from './build-indexes.ts';
export { connectMongo, QUERY_TIME_MAX_MS } from './connection.ts';
export { EXPIRY_INDEX, expireByAge, startExpirySweep, startSweep, type SweepOptions } from './expiry.ts';
export { wasRepeated } from './embedded-engine/repeat-operations.ts';
export { createIndexes } from './indexes.ts';
export {
  type Limit,
  type LimitOutcome,
  openRollingLimit,
  openRollingLimits,
  type RollingLimit,
  type RollingLimits,
} from './limits/rolling-limit.ts';
export { openUsageQuota, type UsageQuota } from './limits/usage-quota.ts';
export { collidedIndex, isUnreachable } from './mongo-errors.ts';
export { migrate, type Migration, setMissing } from './migrations.ts';
export { byIds, replaceIf, valueById } from './update-by-id.ts';
