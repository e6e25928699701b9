import type { Event } from '../event/envelope.ts';
import type { AggregateQueue } from './aggregate-queue.ts';
import type { EventApplierOptions } from './event-applier-options.ts';
import { lastApplied } from './position.ts';
import type { ProgressWriter } from './progress-writer.ts';

/** What applying an aggregate's events needs, from memory and from the stream. */
export interface AggregateWork extends EventApplierOptions, Pick<ProgressWriter, 'save' | 'saveApplied'> {
  /** See `batchAttempts`. */
  readonly tryBatch: (events: readonly Event[]) => Promise<boolean>;
  /** Nothing more is started with the queue. */
  readonly isEnding: (queue: AggregateQueue) => boolean;
}

/** The first events of an unknown aggregate have most likely expired. */
const UNKNOWN_WAIT_SHARE = 0.2;

/** True for a queue in which gaps are normal. */
export function hasGaps(
  { noun }: AggregateQueue,
  { relevant, relevantNouns, withoutPositions = false }: EventApplierOptions,
): boolean {
  return withoutPositions || (relevant !== undefined && (relevantNouns?.includes(noun) ?? true));
}

/** How long the first event of a queue waits for a missing one before it. */
export function gapWaitMsOf(queue: AggregateQueue, options: EventApplierOptions): number {
  if (hasGaps(queue, options)) return 0;
  return queue.known ? options.gapWaitMs : options.gapWaitMs * UNKNOWN_WAIT_SHARE;
}

export function logGap(queue: AggregateQueue, event: Event, options: EventApplierOptions): void {
  if (!queue.known || hasGaps(queue, options)) return;
  const { follower, log } = options;
  const missing = lastApplied(queue.position) + 1;
  log.warn({ follower, event: event.id, missing }, 'an event is missing; going on without it');
}
