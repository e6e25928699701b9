export { type Cursors, signedCursors } from './cursor.ts';
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
export { connectMongo, type Mongo, QUERY_TIME_MAX_MS } from './mongo.ts';
export { collidedIndex, isUnreachable, whileUnreachable } from './retry.ts';
export { openRollingLimit, type RollingLimit, type RollingLimitOptions } from './rolling-limit.ts';
