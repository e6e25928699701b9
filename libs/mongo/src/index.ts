export { connectMongo, type Mongo, QUERY_TIME_MAX_MS } from './connection.ts';
export { expireByAge } from './embedded-engine/expire-by-age.ts';
export { wasRepeated } from './embedded-engine/repeat-operations.ts';
export { startExpirySweep, startSweep, type SweepOptions } from './expiry.ts';
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
