export { connectMongo, type Mongo, QUERY_TIME_MAX_MS } from './connection.ts';
export { startExpirySweep, startSweep } from './expiry.ts';
export { createIndexes } from './indexes.ts';
export { collidedIndex, isUnreachable, whileUnreachable } from './mongo-errors.ts';
