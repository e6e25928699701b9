export { coalesce } from './coalesce.ts';
export { nextTurnIfDue } from './event-loop-turns.ts';
export { type FairQueue, fairQueue } from './fair-queue.ts';
export { gather } from './gather.ts';
export { type KeyedQueue, keyedQueue } from './keyed-queue.ts';
export { recentReads } from './recent-reads.ts';
