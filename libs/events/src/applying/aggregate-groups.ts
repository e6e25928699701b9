import type { Logger } from '@parley/telemetry';
import { fairQueue } from '@parley/queues';
import type { Event } from '../event/envelope.ts';
import { type AggregateQueue, type QueuedEvent, setAllApplied } from './aggregate-queue.ts';

/** Queues whose events are applied together: all that are ready at a time are one group, companies in turn. */
export interface AggregateGroups {
  add(queue: AggregateQueue): void;
  /** Starts the next group if there is one and none is being applied. */
  start(): void;
}

export interface AggregateGroupsOptions {
  readonly applicable: (queue: AggregateQueue) => QueuedEvent[];
  /** False when they have to be applied apart. */
  readonly tryToApply: (events: readonly Event[]) => Promise<boolean>;
  readonly saveApplied: (queue: AggregateQueue, applied: readonly QueuedEvent[]) => Promise<void>;
  /** Calls `start` when the work has ended. */
  readonly runExclusively: (queue: AggregateQueue, work: () => Promise<void>, release: () => void) => void;
  readonly isStopped: () => boolean;
}

const GROUP_MAX = 500;

export function openAggregateGroups(options: AggregateGroupsOptions): AggregateGroups {
  const { applicable, tryToApply, saveApplied, runExclusively, isStopped } = options;
  const ready = fairQueue<AggregateQueue>();
  let isRunning = false;

  /** Applies what can be applied now of all queues; on failure nothing of it. What is left is applied queue by queue. */
  async function applyGroup(group: readonly AggregateQueue[]): Promise<void> {
    const parts = group.map((queue) => ({ queue, items: applicable(queue) }));
    const events = parts.flatMap(({ items }) => items.map(({ event }) => event));
    const isApplied = events.length > 1 && (await tryToApply(events));
    await Promise.all(
      parts.map(async ({ queue, items }) => {
        queue.isApart = !isApplied || items.length === 0;
        if (!queue.isApart) await saveApplied(queue, setAllApplied(queue, items));
      }),
    );
  }

  return {
    add: (queue) => ready.add(queue.companyId, queue),
    start() {
      if (isRunning || isStopped()) return;
      const group: AggregateQueue[] = [];
      while (group.length < GROUP_MAX) {
        const queue = ready.take();
        if (!queue) break;
        if (queue.state.kind === 'scheduled') group.push(queue);
      }
      if (group.length === 0) return;
      isRunning = true;
      const applied = applyGroup(group).finally(() => (isRunning = false));
      for (const queue of group)
        runExclusively(
          queue,
          () => applied,
          () => {},
        );
    },
  };
}

/** Applies several events by one call; false when that failed, and they have to be applied apart. */
export function orApart(
  applyTogether: (events: readonly Event[]) => Promise<void>,
  follower: string,
  log: Logger,
): (events: readonly Event[]) => Promise<boolean> {
  return async (events) => {
    try {
      await applyTogether(events);
      return true;
    } catch (error) {
      log.warn({ err: error, follower, events: events.length }, 'events not applied together; applying them apart');
      return false;
    }
  };
}
