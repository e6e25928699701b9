import type { Counter } from '@opentelemetry/api';
import type { BackgroundWork } from '@parley/clock';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { EventPublisher } from './event-publisher.ts';
import { type AggregateCollection, isRemovable, type PendingDocument, pendingDocuments } from './pending-documents.ts';
import type { PublishBudget } from './publish-budget.ts';
import type { PublishedOutboxes } from './published-outboxes.ts';

/** `cleared`: the outbox is empty and the lease is released. `removed`: so is the document, a tombstone. `failed`: a sweep tries again. */
export type PublishOutcome = 'cleared' | 'removed' | 'postponed' | 'failed';

/** A document whose company has used up its budget is postponed by this long at most. */
export const POSTPONE_MS_MAX = 10_000;

/** Publishes the outboxes of a collection, each until it is empty. */
export type OutboxPublisher = ReturnType<typeof outboxPublisher>;

export function outboxPublisher(options: {
  collection: AggregateCollection;
  published: PublishedOutboxes;
  events: EventPublisher;
  budget: PublishBudget;
  backgroundWork: BackgroundWork;
  postponed: Counter;
  /** False while nothing can be published. */
  isOpen: () => boolean;
  /** Events were left in a document for the sweep. */
  expectSweep: () => void;
  onError: (error: unknown, id: string) => void;
}) {
  const { published, events, budget, backgroundWork, postponed, isOpen, expectSweep, onError } = options;
  const pending = pendingDocuments(options.collection);
  const running = new Set<Promise<unknown>>();

  /** Until the outbox is empty: other writes may add events meanwhile. */
  async function publishAll(document: PendingDocument, owner: string): Promise<PublishOutcome> {
    for (let left: PendingDocument | null = document; left;) {
      const waitMs = budget.take(left.companyId, left._outbox.length, bytesOf(left));
      if (waitMs > 0) {
        postponed.add(left._outbox.length);
        expectSweep();
        await pending.postpone(left._id, owner, Math.min(waitMs, POSTPONE_MS_MAX));
        return 'postponed';
      }
      await events.publish(left);
      published.onPublished(left, owner);
      if (isRemovable(left) && (await pending.removeTombstone(left._id, owner))) return 'removed';
      left = await removeEntries(left, owner);
    }
    return 'cleared';
  }

  /** Removes published events from their document; the document if there is more to publish. */
  async function removeEntries(document: PendingDocument, owner: string): Promise<PendingDocument | null> {
    const removed = document._deleted ? 'kept' : await published.removed(document._id, owner);
    return removed === 'kept' ? pending.clear(document, owner) : removed;
  }

  async function publishOrRelease(document: PendingDocument, owner: string): Promise<PublishOutcome> {
    try {
      if (isOpen()) return await backgroundWork.during(() => publishAll(document, owner));
    } catch (error) {
      onError(error, document._id);
    }
    expectSweep();
    // If that fails too, the lease expires.
    await pending.release(document._id, owner).catch(() => undefined);
    return 'failed';
  }

  function publish(document: PendingDocument, owner: string): Promise<PublishOutcome> {
    const work = publishOrRelease(document, owner).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  return {
    pending,
    /** Publishes under the lease that the last write took; `written` is as it was written. Never rejects. */
    async publish(written: StoredDocument, owner: string): Promise<PublishOutcome> {
      published.begin(written, owner);
      const outcome = await publish(written as unknown as PendingDocument, owner);
      published.end(written._id, owner);
      return outcome;
    },
    /** Publishes the events of a document that has no owner; false when that was not possible. */
    async takeOver(id: string): Promise<boolean> {
      const claimed = await pending.claim(id);
      return claimed !== undefined && (await publish(claimed.document, claimed.owner)) !== 'failed';
    },
    async stop(): Promise<void> {
      published.removeAtOnce();
      await Promise.allSettled(running);
    },
  };
}

function bytesOf({ _outbox }: PendingDocument): number {
  return _outbox.reduce((sum, { data }) => sum + data.length(), 0);
}
