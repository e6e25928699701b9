import type { Event } from '../event/envelope.ts';
import { type AggregateQueue, keyOf, lastSequence, newQueue, type QueuedEvent, setRead } from './aggregate-queue.ts';
import type { EventApplierOptions } from './apply-chunk.ts';
import { BEHIND_MAX } from './positions-store.ts';

const IDLE_QUEUES_MAX = 20_000;
/** What tells a handler that it has applied an event may be gone when the aggregate is older. */
const UNREAD_MAX_MS = 60_000;

/** The aggregates of the partitions that are applied here. `onBehind` is called with each that is behind when it is added. */
export function openAggregateQueues(
  { positions, toleratesReplay }: Pick<EventApplierOptions, 'positions' | 'toleratesReplay'>,
  onBehind: (queue: AggregateQueue) => void,
) {
  /** Those that were idle the longest come first. */
  const queues = new Map<string, AggregateQueue>();
  const owned = new Set<number>();
  /** Partitions of which not every aggregate that is behind is in memory. */
  const partlyListed = new Set<number>();

  function add(queue: AggregateQueue): AggregateQueue {
    queues.set(queue.key, queue);
    if (queue.behind) onBehind(queue);
    return queue;
  }

  function removeIdle(): void {
    if (queues.size <= IDLE_QUEUES_MAX) return;
    for (const [key, { items, state, behind }] of queues) {
      if (items.length === 0 && state === 'idle' && !behind) queues.delete(key);
      if (queues.size <= IDLE_QUEUES_MAX / 2) return;
    }
  }

  return {
    owns: (partition: number) => owned.has(partition),
    countBehind: () => queues.values().reduce((count, { behind }) => (behind ? count + 1 : count), 0),
    /** Reads the positions that are needed to apply some events; returns the queue of each. */
    async find(items: readonly QueuedEvent[]): Promise<(item: QueuedEvent) => AggregateQueue> {
      removeIdle();
      const nowMs = performance.now();
      const read = keysToRead(items, { queues, partlyListed, toleratesReplay, nowMs });
      const progressOf = await positions.read([...read]);
      return ({ event, service, partition }) => {
        const key = keyOf(event);
        const known = queues.get(key);
        queues.delete(key);
        if (known?.unreadSince !== undefined && read.has(key)) setRead(known, progressOf(key));
        if (known) queues.set(key, known);
        const aggregate = { companyId: event.companyId, service, partition };
        return known ?? add(newQueue(key, aggregate, progressOf(key), read.has(key) ? undefined : nowMs));
      };
    },
    /** Forgets the events that fit. */
    discard(fits: (item: QueuedEvent) => boolean): void {
      for (const queue of queues.values()) {
        const kept = queue.items.filter((item) => !fits(item));
        if (kept.length < queue.items.length) queue.gapSince = undefined;
        queue.items = kept;
      }
    },
    /** Takes up partitions, and what is behind in them. */
    async own(partitions: readonly number[]): Promise<void> {
      for (const partition of partitions) owned.add(partition);
      for (const partition of partitions) {
        const listed = await positions.behind(partition);
        if (listed.length < BEHIND_MAX) partlyListed.delete(partition);
        else partlyListed.add(partition);
        for (const { key, progress } of listed)
          if (!queues.has(key) && progress.behind)
            add(newQueue(key, { companyId: '', service: progress.behind.service, partition }, progress));
      }
    },
    /** Hands over all other partitions. Events that were not started are left to the next owner. */
    async keep(partitions: readonly number[]): Promise<void> {
      for (const partition of owned) if (!partitions.includes(partition)) owned.delete(partition);
      const dropped = [...queues.values()].filter(({ partition }) => !owned.has(partition));
      for (const queue of dropped) {
        queue.state = 'dropped';
        queue.items.splice(0).forEach((item) => item.discard());
        queues.delete(queue.key);
      }
      await Promise.all(dropped.flatMap(({ work }) => work ?? []));
    },
  };
}

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
