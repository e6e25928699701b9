import type { Aggregate, Bookkeeping, OutboxEntry, Stored } from '../stored/bookkeeping.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { PendingDocument } from './pending-documents.ts';

/**
 * The document when a write has added more to publish, null once its lease is released or lost, and `kept` when no write has removed
 * what was published: the relay does it then.
 */
type Removed = PendingDocument | null | 'kept';

/**
 * Documents whose events this process publishes under their leases. Published events are removed by the next write of their document at
 * no extra cost, and what that adds is published at once; without one, a write of its own removes them. After a crash before that write they are published again,
 * under the same ids.
 */
export type PublishedOutboxes = ReturnType<typeof publishedOutboxes>;

/**
 * How long published events wait for another write of their document, in milliseconds. Whatever has waited for `min` is removed
 * together, at `max` at the latest.
 */
export interface RemovalDelay {
  readonly min: number;
  readonly max: number;
}

interface Publication {
  readonly id: string;
  readonly owner: string;
  /** Ids of entries that are published and still in the document. */
  readonly published: Set<string>;
  /** As this process wrote it last. */
  written: StoredDocument;
  /** The publisher waits for the removal. */
  waiting?: PromiseWithResolvers<Removed> | undefined;
  /** In milliseconds of `performance.now()`. */
  waitingSince: number;
}

export function publishedOutboxes(options: {
  /**
   * Writes a document without the entries that are published, unless another write has removed them meanwhile. Without it, the relay
   * removes them.
   */
  removeFrom?: (id: string, isWanted: () => boolean) => Promise<unknown>;
  delayMs: RemovalDelay;
}) {
  const { removeFrom } = options;
  let { delayMs } = options;
  const publications = new Map<string, Publication>();
  let timer: NodeJS.Timeout | undefined;

  function remove(publication: Publication): void {
    if (!removeFrom) return resume(publication, 'kept');
    const { waiting } = publication;
    const isWanted = () => publication.waiting === waiting;
    const removed = removeFrom(publication.id, isWanted).then(() => null);
    // If it still waits, nothing was written: the document is gone, its lease is another's, or the write has failed.
    const resumeIfWaiting = () => {
      if (isWanted()) resume(publication, removed);
    };
    removed.then(resumeIfWaiting, resumeIfWaiting);
  }

  function removeAll(): void {
    timer = undefined;
    const sinceMax = performance.now() - delayMs.min;
    for (const publication of publications.values()) {
      if (!publication.waiting) continue;
      if (publication.waitingSince <= sinceMax) remove(publication);
      else setTimer();
    }
  }

  function setTimer(): void {
    timer ??= setTimeout(removeAll, delayMs.max - delayMs.min);
  }

  return {
    /** A write has taken the lease: its events are being published. */
    begin(written: StoredDocument, owner: string): void {
      const earlier = publications.get(written._id);
      // Another process took over its lease and released it.
      if (earlier) resume(earlier, null);
      publications.set(written._id, { id: written._id, owner, published: new Set(), written, waitingSince: 0 });
    },
    end(id: string, owner: string): void {
      if (publications.get(id)?.owner === owner) publications.delete(id);
    },
    /** The entries that are not published yet; undefined when the lease is not this process's, or there is nothing to remove. */
    leftIn(stored: StoredDocument): OutboxEntry[] | undefined {
      const own = publications.get(stored._id);
      if (!own || own.owner !== leaseOwner(stored) || own.published.size === 0) return undefined;
      return unpublished(own, stored);
    },
    onPublished({ _id, _outbox }: PendingDocument, owner: string): void {
      const publication = publications.get(_id);
      if (publication?.owner === owner) for (const { id } of _outbox) publication.published.add(id);
    },
    /** Resolves when published events are removed from the document. */
    removed(id: string, owner: string): Promise<Removed> {
      const publication = publications.get(id);
      if (publication?.owner !== owner) return Promise.resolve('kept');
      const waiting = Promise.withResolvers<Removed>();
      publication.waiting = waiting;
      publication.waitingSince = performance.now();
      resumeIfDone(publication);
      setTimer();
      return waiting.promise;
    },
    onWritten(written: StoredDocument): void {
      const publication = publications.get(written._id);
      if (!publication || publication.written._version >= written._version) return;
      publication.written = written;
      const present = new Set(outboxOf(written).map(({ id }) => id));
      for (const id of publication.published) if (!present.has(id)) publication.published.delete(id);
      resumeIfDone(publication);
    },
    /** From now on published events are removed at once. */
    removeAtOnce(): void {
      delayMs = { min: 0, max: 0 };
      clearTimeout(timer);
      removeAll();
    },
  };
}

/** The publisher goes on when there is something to publish, or when the lease is gone. */
function resumeIfDone(publication: Publication): void {
  const { owner, written } = publication;
  const left = unpublished(publication, written);
  if (leaseOwner(written) !== owner) resume(publication, null);
  else if (left.length > 0 || written._deleted)
    resume(publication, { ...(written as unknown as Stored<Aggregate>), _outbox: left });
}

function resume(publication: Publication, removed: Removed | Promise<Removed>): void {
  publication.waiting?.resolve(removed);
  publication.waiting = undefined;
}

function unpublished({ published }: Publication, stored: StoredDocument): OutboxEntry[] {
  return outboxOf(stored).filter(({ id }) => !published.has(id));
}

function outboxOf(stored: StoredDocument): readonly OutboxEntry[] {
  return (stored as Partial<Bookkeeping>)._outbox ?? [];
}

function leaseOwner(stored: StoredDocument): string | undefined {
  return (stored as Partial<Bookkeeping>)._relay?.owner;
}
