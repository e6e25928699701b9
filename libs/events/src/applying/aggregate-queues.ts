import { type AggregateQueue, keyOf, newQueue, type QueuedEvent, setRead } from './aggregate-queue.ts';
import type { EventApplierOptions } from './event-applier-options.ts';
import { keysToRead } from './keys-to-read.ts';
import { BEHIND_MAX } from './positions-store.ts';

const IDLE_QUEUES_MAX = 20_000;

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
      await Promise.all(dropped.map(({ work }) => work));
    },
  };
}
