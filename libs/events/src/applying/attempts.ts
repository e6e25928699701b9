import { batch, sharedResult } from '@parley/queues';
import type { Event } from '../event/envelope.ts';
import { type AggregateQueue, keyOf, setApplied } from './aggregate-queue.ts';
import type { EventApplierOptions } from './event-applier-options.ts';

/** Chunks of that many aggregates are one batch. */
export const BATCH_AGGREGATES_MAX = 500;

/** Resolves with true when the event needs no further attempt: it was applied, or became a dead letter. */
export async function tryToApply(queue: AggregateQueue, event: Event, options: EventApplierOptions): Promise<boolean> {
  const { follower, apply, deadLetters, triesMax, log } = options;
  const sequence = event.aggregateSequence;
  try {
    await apply([event]);
  } catch (error) {
    const tries = (queue.failing?.sequence === sequence ? queue.failing.tries : 0) + 1;
    if (tries < triesMax || isUnavailable(error)) {
      queue.failing = { sequence, tries };
      log.warn({ err: error, follower, event: event.id, type: event.type, tries }, 'event not applied; retrying');
      return false;
    }
    await deadLetters.add(event, error);
  }
  setApplied(queue, sequence);
  return true;
}

/** When the failed event of a queue is tried again. */
export function retryAt({ failing }: AggregateQueue, { retryDelayMs }: EventApplierOptions): Date {
  return new Date(Date.now() + (failing ? retryDelayMs(failing.tries) : 0));
}

/**
 * Applies the next events of aggregates by one call: those of one, or of all that have some at the same time. False when that has failed, or
 * there is only one event: each is applied alone then.
 */
export function batchAttempts(options: EventApplierOptions): (events: readonly Event[]) => Promise<boolean> {
  const { follower, apply, batchPer, log } = options;
  const tryBatch = async (chunks: readonly (readonly Event[])[]) => {
    const events = chunks.flat();
    if (events.length === 1) return false;
    try {
      await apply(events);
      return true;
    } catch (error) {
      log.warn({ err: error, follower, events: events.length }, 'batch of events not applied; applying each alone');
      return false;
    }
  };
  return batch(sharedResult(tryBatch), {
    max: BATCH_AGGREGATES_MAX,
    keyBy: ([first]) => (first && batchPer === 'aggregate' ? keyOf(first) : ''),
  });
}

/**
 * Checks the name only, because this library does not depend on libs/rpc. A service that does not respond now will respond later,
 * so the event does not become a dead letter.
 */
function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === 'Unavailable';
}
