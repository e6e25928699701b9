import { setTimeout as sleep } from 'node:timers/promises';
import type { AggregateQueue, QueuedEvent } from './aggregate-queue.ts';
import type { EventApplierOptions } from './event-applier-options.ts';

export type ProgressWriter = ReturnType<typeof progressWriter>;

const RETRY_MS = 500;

/** Saves how far aggregates are, and completes the events that need not be read again after that. */
export function progressWriter(
  options: Pick<
    EventApplierOptions,
    'follower' | 'positions' | 'backgroundWork' | 'log' | 'toleratesReplay' | 'onApplied'
  >,
  isEnding: (queue: AggregateQueue) => boolean,
) {
  const { follower, positions, backgroundWork, log, toleratesReplay, onApplied } = options;
  const saving = new Set<Promise<void>>();

  /** False when it was not saved because the work ended before. */
  async function save(queue: AggregateQueue): Promise<boolean> {
    for (;;) {
      const { key, position, failing, behind: savedBehind } = queue;
      const isUnread = queue.unreadSince !== undefined && position.ahead.length === 0;
      try {
        await positions.save({ key, position, failing, behind: savedBehind, isUnread });
        queue.savedBehind = savedBehind;
        return true;
      } catch (error) {
        log.warn({ err: error, follower }, 'positions not saved; retrying');
        if (isEnding(queue)) return false;
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    save,
    /** Resolves when it is saved; immediately if the events may be applied again. */
    async saveApplied(queue: AggregateQueue, applied: readonly QueuedEvent[]): Promise<void> {
      if (applied.length === 0) return;
      applied.forEach(onApplied);
      const saved = save(queue).then((isSaved) => applied.forEach((item) => (isSaved ? item.done() : item.discard())));
      if (!toleratesReplay) return saved;
      const tracked: Promise<void> = backgroundWork.during(() => saved).finally(() => saving.delete(tracked));
      saving.add(tracked);
    },
    /** Resolves when everything that is applied now is saved. */
    allSaved: () => Promise.all(saving),
  };
}
