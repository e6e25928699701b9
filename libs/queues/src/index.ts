export { batch, type BatchOptions, sharedResult } from './batch.ts';
export { batching } from './batching.ts';
export { cache } from './cache.ts';
export { nextTurnIfDue } from './event-loop-turns.ts';
export { hasRequests, longList, noteRequest, pauseForRequests, runLongWork } from './long-work.ts';
export { fairQueue, keyedQueue } from './queues.ts';
