import type { Event } from '../event/envelope.ts';
import { type AggregateQueue, keyOf, lastSequence, type QueuedEvent } from './aggregate-queue.ts';

/** What tells a handler that it has applied an event may be gone when the aggregate is older. */
const UNREAD_MAX_MS = 60_000;

/**
 * The aggregates of which the stored positions are needed before these events are queued. Without one, an event is applied that may be
 * replayed and that directly follows what has arrived here, from the first event on: at worst it is applied again.
 */
export function keysToRead(
  events: readonly Pick<QueuedEvent, 'event' | 'partition'>[],
  known: {
    readonly queues: ReadonlyMap<string, AggregateQueue>;
    /** Partitions of which not every aggregate that is behind is in memory. */
    readonly partlyListed: ReadonlySet<number>;
    readonly toleratesReplay: ((event: Event) => boolean) | undefined;
    /** In milliseconds of `performance.now()`. */
    readonly nowMs: number;
  },
): Set<string> {
  const { queues, partlyListed, toleratesReplay, nowMs } = known;
  const needed = new Set<string>();
  const reached = new Map<string, number>();
  for (const { event, partition } of events) {
    const key = keyOf(event);
    const queue = queues.get(key);
    if (queue && queue.unreadSince === undefined) continue;
    const last = reached.get(key) ?? (queue ? lastSequence(queue) : 0);
    reached.set(key, Math.max(last, event.aggregateSequence));
    const isYoung = nowMs - (queue?.unreadSince ?? nowMs) < UNREAD_MAX_MS;
    const mayBeUnread = isYoung && !partlyListed.has(partition) && event.aggregateSequence <= last + 1;
    if (!mayBeUnread || !toleratesReplay?.(event)) needed.add(key);
  }
  return needed;
}
