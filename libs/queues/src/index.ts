export { batch, type BatchOptions, sharedResult } from './batch.ts';
export { batching } from './batching.ts';
export { type Cache, cache } from './cache.ts';
export { nextTurnIfDue } from './event-loop-turns.ts';
export { type FairQueue, fairQueue } from './fair-queue.ts';
export { type KeyedQueue, keyedQueue } from './keyed-queue.ts';
