import { byIds, QUERY_TIME_MAX_MS, replaceIf, valueById } from '@parley/mongo';
import { batch, batching } from '@parley/queues';
import type { Collection, Filter } from 'mongodb';
import { hasAny } from '../due/has-any.ts';
import { type Aggregate, type Stored, freeLease, newLease } from '../stored/bookkeeping.ts';

export type AggregateCollection = Collection<Stored<Aggregate>>;

/** A document with events to publish: the fields that the relay needs. */
export type PendingDocument = Pick<
  Stored<Aggregate>,
  '_id' | 'companyId' | '_outbox' | '_deleted' | '_commands' | '_pendingSince'
>;

/** A document whose entries of these ids were published under the lease of `owner`. */
interface PublishedEntries {
  readonly id: string;
  readonly owner: string;
  readonly eventIds: readonly string[];
}

/** Longer than publishing one document's entries takes; after it another process may take over. */
export const LEASE_MS = 10_000;

/** Documents with pending events and no owner: after a crash, or while the broker was unreachable. */
export function unclaimedPending(now: Date): Filter<Stored<Aggregate>> {
  return { _pendingSince: { $lte: now }, ...freeLease('_relay', now) };
}

/** A tombstone whose commands are done as well; until then their execution needs it. */
export function isRemovable({ _deleted, _commands = [] }: PendingDocument): boolean {
  return _deleted && _commands.length === 0;
}

/** The documents of a collection that have events to publish. */
export function pendingDocuments(collection: AggregateCollection) {
  const indexed = { hint: 'pending', maxTimeMS: QUERY_TIME_MAX_MS };
  const clearBatch = batch(
    (published: readonly PublishedEntries[]) => clearUnchanged(collection, published),
    batching.publishedEntries,
  );
  return {
    hasUnclaimed: () => hasAny(collection, unclaimedPending(new Date())),
    async findUnclaimed(limit: number): Promise<string[]> {
      const found = await collection
        .find(unclaimedPending(new Date()), { projection: { _id: 1 }, maxTimeMS: QUERY_TIME_MAX_MS })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    /** Takes the lease of an unclaimed document; undefined when another process was first. */
    async claim(id: string): Promise<{ document: PendingDocument; owner: string } | undefined> {
      const lease = newLease(LEASE_MS);
      const document = await collection.findOneAndUpdate(
        { _id: id, ...unclaimedPending(new Date()) },
        { $set: { _relay: lease } },
        { returnDocument: 'after' },
      );
      return document ? { document, owner: lease.owner } : undefined;
    },
    /** Those of a company; there are few at a time. */
    find: (companyId: string): Promise<PendingDocument[]> =>
      collection.find({ _pendingSince: { $exists: true }, companyId }, indexed).toArray(),
    /** Stops counting at 1,000. */
    count: () => collection.countDocuments({ _pendingSince: { $exists: true } }, { limit: 1000, ...indexed }),
    /** Removes the published entries of a document; the document if there is more to publish. */
    async clear(document: PendingDocument, owner: string): Promise<PendingDocument | null> {
      const eventIds = document._outbox.map(({ id }) => id);
      if (!isRemovable(document) && (await clearBatch({ id: document._id, owner, eventIds }))) return null;
      return clearChanged(collection, document, owner);
    },
    /** A deleted aggregate without commands never changes: those were its last events. */
    async removeTombstone(id: string, owner: string): Promise<boolean> {
      const removable = { _id: id, '_relay.owner': owner, '_commands.0': { $exists: false } };
      return (await collection.deleteOne(removable)).deletedCount === 1;
    },
    /** Keeps the lease without publishing: writes and sweeps skip the document until the lease expires. */
    async postpone(id: string, owner: string, waitMs: number): Promise<void> {
      const until = new Date(Date.now() + waitMs);
      await collection.updateOne({ _id: id, '_relay.owner': owner }, { $set: { '_relay.until': until } });
    },
    async release(id: string, owner: string): Promise<void> {
      await collection.updateOne({ _id: id, '_relay.owner': owner }, { $set: { _relay: null } });
    },
  };
}

/**
 * Clears the outboxes of many documents with one update, each only if nothing was added to it since; true for
 * those of which that holds. The conditions are part of the update, not of its filter: by id alone the server needs no query plan.
 */
async function clearUnchanged(
  collection: AggregateCollection,
  published: readonly PublishedEntries[],
): Promise<boolean[]> {
  const ids = published.map(({ id }) => id);
  const own = valueById(
    ids,
    published.map(({ owner, eventIds }) => ({ owner, eventIds })),
  );
  const isUnchanged = [
    { $eq: ['$_relay.owner', '$$own.owner'] },
    { $eq: ['$_deleted', false] },
    { $eq: ['$_outbox.id', '$$own.eventIds'] },
  ];
  const cleared = {
    $unsetField: { field: '_pendingSince', input: { $mergeObjects: ['$$ROOT', { _outbox: [], _relay: null }] } },
  };
  const all = byIds(ids) as Filter<Stored<Aggregate>>;
  const { modifiedCount } = await collection.updateMany(all, [replaceIf(own, isUnchanged, cleared)]);
  if (modifiedCount === published.length) return published.map(() => true);
  // The server reports how many were cleared, not which; those that are not still have their lease.
  const left = await collection.find(all, { projection: { _relay: 1 } }).toArray();
  const owners = new Map(left.map(({ _id, _relay }) => [_id, _relay?.owner]));
  return published.map(({ id, owner }) => owners.get(id) !== owner);
}

/**
 * Removes the published entries of one document, and releases the lease unless later writes have added more. Returns the
 * document if there is more to publish; null when there is not, or when another process has taken over.
 */
async function clearChanged(
  collection: AggregateCollection,
  { _id, _outbox }: PendingDocument,
  owner: string,
): Promise<PendingDocument | null> {
  const done = _outbox.map(({ id }) => id);
  const rest = { $filter: { input: '$_outbox', cond: { $not: [{ $in: ['$$this.id', done] }] } } };
  const hasCommands = { $gt: [{ $size: { $ifNull: ['$_commands', []] } }, 0] };
  const finished = { $and: [{ $eq: ['$_outbox', []] }, { $or: [{ $not: '$_deleted' }, hasCommands] }] };
  const left = await collection.findOneAndUpdate(
    { _id, '_relay.owner': owner },
    [
      { $set: { _outbox: rest } },
      {
        $set: {
          _relay: { $cond: [finished, null, '$_relay'] },
          _pendingSince: { $cond: [finished, '$$REMOVE', '$_pendingSince'] },
        },
      },
    ],
    { returnDocument: 'after', projection: { companyId: 1, _outbox: 1, _deleted: 1, _commands: 1 } },
  );
  return left && (left._outbox.length > 0 || isRemovable(left)) ? left : null;
}
