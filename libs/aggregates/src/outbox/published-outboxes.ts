import type { PendingDocument } from '../relay/pending-documents.ts';
import type { PublishedEvents } from '../relay/relay.ts';
import type { Aggregate, Bookkeeping, OutboxEntry, Stored } from '../stored/bookkeeping.ts';
import type { StoredDocument } from '../stored/stored-document.ts';

/**
 * Documents whose events this process publishes under their leases. Published events are removed by the next write of their document at
 * no extra cost, and what that adds is published at once; without one, a write of its own removes them. After a crash before that write they are published again,
 * under the same ids.
 */
export interface PublishedOutboxes extends PublishedEvents {
  /** A write has taken the lease: its events are being published. */
  begin(written: StoredDocument, owner: string): void;
  end(id: string, owner: string): void;
  /** The entries that are not published yet; undefined when the lease is not this process's, or there is nothing to remove. */
  leftIn(stored: StoredDocument): OutboxEntry[] | undefined;
  onWritten(written: StoredDocument): void;
  /** From now on published events are removed at once. */
  removeAtOnce(): void;
}

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
  waiting: PromiseWithResolvers<PendingDocument | null | 'kept'> | undefined;
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
}): PublishedOutboxes {
  const { removeFrom } = options;
  let { delayMs } = options;
  const publications = new Map<string, Publication>();
  let timer: NodeJS.Timeout | undefined;

  const ownOf = (stored: StoredDocument): Publication | undefined => {
    const known = publications.get(stored._id);
    return known && known.owner === leaseOwner(stored) ? known : undefined;
  };
  const unpublished = ({ published, written }: Publication) => outboxOf(written).filter(({ id }) => !published.has(id));

  /** Whoever waits goes on when there is something to publish, or when the lease is gone. */
  function resume(publication: Publication): void {
    const { owner, written, waiting } = publication;
    if (!waiting) return;
    const left = unpublished(publication);
    const isHeld = leaseOwner(written) === owner;
    if (isHeld && left.length === 0 && !written._deleted) return;
    publication.waiting = undefined;
    const document = { ...(written as unknown as Stored<Aggregate>), _outbox: left };
    waiting.resolve(isHeld ? document : null);
  }

  function remove(publication: Publication): void {
    const { id, waiting } = publication;
    const isWanted = () => publication.waiting === waiting;
    const end = (finish: () => void) => {
      if (!isWanted()) return;
      publication.waiting = undefined;
      finish();
    };
    if (!removeFrom) return end(() => waiting?.resolve('kept'));
    removeFrom(id, isWanted).then(
      // If it is still waited for, nothing was written: the document is gone, or its lease is another's.
      () => end(() => waiting?.resolve(null)),
      (error: unknown) => end(() => waiting?.reject(error)),
    );
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
    begin(written, owner) {
      // It had a lease before that another process took over and released.
      publications.get(written._id)?.waiting?.resolve(null);
      const isNotWaiting = { waiting: undefined, waitingSince: 0 };
      publications.set(written._id, { id: written._id, owner, published: new Set(), written, ...isNotWaiting });
    },
    end(id, owner) {
      if (publications.get(id)?.owner === owner) publications.delete(id);
    },
    leftIn(stored) {
      const own = ownOf(stored);
      if (!own || own.published.size === 0) return undefined;
      return outboxOf(stored).filter(({ id }) => !own.published.has(id));
    },
    onPublished({ _id: id, _outbox }, owner) {
      const publication = publications.get(id);
      if (publication?.owner === owner) for (const entry of _outbox) publication.published.add(entry.id);
    },
    removed(id, owner) {
      const publication = publications.get(id);
      if (publication?.owner !== owner) return Promise.resolve(null);
      publication.waiting = Promise.withResolvers();
      publication.waitingSince = performance.now();
      const { promise } = publication.waiting;
      resume(publication);
      setTimer();
      return promise;
    },
    onWritten(written) {
      const publication = publications.get(written._id);
      if (!publication || publication.written._version >= written._version) return;
      publication.written = written;
      const present = new Set(outboxOf(written).map(({ id }) => id));
      for (const id of publication.published) if (!present.has(id)) publication.published.delete(id);
      resume(publication);
    },
    removeAtOnce() {
      delayMs = { min: 0, max: 0 };
      clearTimeout(timer);
      removeAll();
    },
  };
}

function outboxOf(stored: StoredDocument): readonly OutboxEntry[] {
  return (stored as Partial<Bookkeeping>)._outbox ?? [];
}

function leaseOwner(stored: StoredDocument): string | undefined {
  return (stored as Partial<Bookkeeping>)._relay?.owner;
}
