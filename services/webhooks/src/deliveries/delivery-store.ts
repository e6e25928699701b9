import { coalesce, dueIndex, type DueLease, type Due, QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/store';
import { type Collection, type Db, type Filter, MongoBulkWriteError } from 'mongodb';
import { type Delivery, isSettled } from './delivery.ts';

export interface DeliveryDocument extends Omit<Delivery, 'id' | 'due'> {
  _id: string;
  due: Due | null;
  dueLease: DueLease | null;
  /** Whether another waits behind it in the lane: who settles this one has to look. */
  followed: boolean;
  /** Grows with every write that was decided on what was read. */
  version: number;
}

/** A delivery that this process may work at, and what proves it. */
export interface Claimed {
  readonly delivery: Delivery;
  readonly lease: DueLease | null;
}

/** A delivery as the log shows it: what was sent is not part of it. */
export type LoggedDelivery = Omit<Delivery, 'body'>;

/** Where a page of the log ended. */
export type LogPosition = readonly [createdAtMs: number, id: string];

export interface Deliveries {
  readonly collection: Collection<DeliveryDocument>;
  /** Stores a new delivery, claimed or not; false when it is there already. */
  insert(claimed: Claimed): Promise<boolean>;
  /** Writes down what an attempt led to, and gives up the claim; false when certainly nobody waited for it to be settled. */
  record(claimed: Claimed): Promise<boolean>;
  /** What is due and unclaimed, subscription by subscription in the order of their ids, the longest due of each first. */
  due(
    claimable: Filter<DeliveryDocument>,
    page: { after: string; except: readonly string[]; limit: number },
  ): Promise<DeliveryDocument[]>;
  /** Claims those of the found deliveries that nobody else has claimed since, and changes them in the same write. */
  claim(
    found: readonly DeliveryDocument[],
    claimable: Filter<DeliveryDocument>,
    lease: DueLease,
    change: (delivery: Delivery) => Delivery,
  ): Promise<DeliveryDocument[]>;
  /** Whether a delivery of the lane is unsettled. */
  isLaneTaken(lane: string): Promise<boolean>;
  /** Lets whoever settles a delivery of the lane know that another waits. */
  follow(lane: string): Promise<void>;
  /** Makes the lane's first delivery due if it waits for its turn; true when there was one. */
  advanceLane(lane: string, due: Due): Promise<boolean>;
  /** Lanes whose first delivery waits for its turn: the process that settled the one before died before it advanced the lane. */
  stuckLanes(limit: number): Promise<string[]>;
  /** Makes due what was to be tried during a pause; how many there were. */
  resume(subscriptionId: string, due: Due): Promise<number>;
  /** Subscriptions with deliveries that wait for a resume. */
  paused(): Promise<string[]>;
  /** Reads, decides, writes; decides again when somebody else was faster. Undefined when there is none. */
  change(subscriptionId: string, id: string, decide: (current: Delivery) => Delivery): Promise<Delivery | undefined>;
  /** After a clock went back: nothing waits longer from now than it was meant to wait. */
  pullBack(now: Date): Promise<void>;
  /** Newest first. */
  page(subscriptionId: string, after: LogPosition | undefined, limit: number): Promise<LoggedDelivery[]>;
  remove(id: string): Promise<void>;
  removeAll(subscriptionId: string): Promise<void>;
}

/** Subscriptions in the order of their ids, the longest due delivery of each first. */
const bySubscription = { subscriptionId: 1, 'due.at': 1 } as const;

const deliveryIndexes = [
  dueIndex,
  {
    name: 'subscription_due',
    key: bySubscription,
    partialFilterExpression: { 'due.at': { $exists: true } },
  },
  // `$gt: ''` is "a string" in words that the planner finds a query's `$in` to fit into; `$type` is not.
  { name: 'lane_position', key: { lane: 1, position: 1, waitsFor: 1 }, partialFilterExpression: { lane: { $gt: '' } } },
  { name: 'paused', key: { subscriptionId: 1 }, partialFilterExpression: { waitsFor: 'resume' } },
  { name: 'log', key: { subscriptionId: 1, createdAt: -1, _id: -1 } },
  { name: 'created', key: { createdAt: 1 } },
] as const;

const CLASHES_MAX = 50;

export async function openDeliveries(db: Db): Promise<Deliveries> {
  const collection = db.collection<DeliveryDocument>('deliveries');
  await collection.createIndexes(deliveryIndexes.map((index) => ({ ...index })));
  // Deliveries that were waiting when `place` became `position`.
  const former = { lane: { $gt: '' }, place: { $exists: true } } as Filter<DeliveryDocument>;
  await collection.updateMany(former, { $rename: { place: 'position' } });
  const query = { maxTimeMS: QUERY_TIME_MAX_MS };

  const insert = coalesce(async (claimed: readonly Claimed[]) => {
    const documents = claimed.map(({ delivery, lease }) => ({
      ...toFields(delivery),
      dueLease: lease,
      followed: false,
      version: 1,
    }));
    const there = await whileUnreachable((attempt) => insertNew(collection, documents, attempt));
    return documents.map(({ _id }) => !there.has(_id));
  });

  const record = coalesce(async (recorded: readonly Claimed[]) => {
    const updates = recorded.map(progress).map(({ updateOne: { filter, update } }) => ({
      updateOne: { filter, update: { ...update, $set: { ...update.$set, dueLease: null } } },
    }));
    const unfollowed = updates.map(({ updateOne: { filter, update } }, index) => ({
      updateOne: { filter: isSettled(recorded[index]!.delivery) ? { ...filter, followed: false } : filter, update },
    }));
    const { matchedCount } = await whileUnreachable(() => collection.bulkWrite(unfollowed, { ordered: false }));
    const someFollowed = matchedCount < recorded.length;
    // Those that were written have given up their claim, so this meets only the others.
    if (someFollowed) await whileUnreachable(() => collection.bulkWrite(updates, { ordered: false }));
    return recorded.map(() => someFollowed);
  });

  const heads = async (lanes: readonly string[]) => {
    const found = await whileUnreachable(() =>
      collection
        .aggregate<{ _id: string; id: string; waitsFor: Delivery['waitsFor'] }>(
          [
            { $match: { lane: { $in: [...new Set(lanes)] } } },
            { $sort: { lane: 1, position: 1 } },
            { $group: { _id: '$lane', id: { $first: '$_id' }, waitsFor: { $first: '$waitsFor' } } },
          ],
          query,
        )
        .toArray(),
    );
    return new Map(found.map((head) => [head._id, head]));
  };

  const isLaneTaken = coalesce(async (lanes: readonly string[]) => {
    const taken = await heads(lanes);
    return lanes.map((lane) => taken.has(lane));
  });

  const advanceLane = coalesce(async (moves: readonly { lane: string; due: Due }[]) => {
    const first = await heads(moves.map(({ lane }) => lane));
    const waking = moves.flatMap(({ lane, due }) => {
      const head = first.get(lane);
      return head?.waitsFor === 'turn' ? [{ id: head.id, due }] : [];
    });
    if (waking.length > 0) {
      const updates = waking.map(({ id, due }) => ({
        updateOne: {
          filter: { _id: id, waitsFor: 'turn' as const },
          update: { $set: { due, waitsFor: null }, $inc: { version: 1 } },
        },
      }));
      await whileUnreachable(() => collection.bulkWrite(updates, { ordered: false }));
    }
    return moves.map(({ lane }) => first.get(lane)?.waitsFor === 'turn');
  });

  async function change(subscriptionId: string, id: string, decide: (current: Delivery) => Delivery) {
    for (let clash = 0; clash < CLASHES_MAX; clash++) {
      const stored = await whileUnreachable(() => collection.findOne({ _id: id, subscriptionId }, query));
      if (!stored) return undefined;
      const current = toDelivery(stored);
      const next = decide(current);
      if (next === current) return current;
      const { matchedCount } = await whileUnreachable(() =>
        collection.updateOne(
          { _id: id, version: stored.version },
          { $set: { ...progressOf(next), dueLease: null, version: stored.version + 1 } },
        ),
      );
      if (matchedCount === 1) return next;
    }
    throw new Error(`too many writers at delivery ${id}`);
  }

  return {
    collection,
    insert,
    record,
    due: (claimable, { after, except, limit }) =>
      collection
        .find({ ...claimable, subscriptionId: { $gt: after, $nin: [...except] } }, { ...query, hint: bySubscription })
        .sort(bySubscription)
        .limit(limit)
        .toArray(),
    async claim(found, claimable, dueLease, change) {
      if (found.length === 0) return [];
      const claims = found.map((document) => ({ document, next: progressOf(change(toDelivery(document))) }));
      const updates = claims.map(({ document: { _id, version }, next }) => ({
        updateOne: {
          filter: { ...claimable, _id, version },
          update: { $set: { ...next, dueLease }, $inc: { version: 1 } },
        },
      }));
      const { matchedCount } = await collection.bulkWrite(updates, { ordered: false });
      const changed = claims.map(({ document, next }) => ({
        ...document,
        ...next,
        dueLease,
        version: document.version + 1,
      }));
      if (matchedCount === found.length) return changed;
      const _id = { $in: found.map((document) => document._id) };
      const ours = await collection
        .find({ _id, 'dueLease.owner': dueLease.owner }, query)
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const ids = new Set(ours.map((document) => document._id));
      return changed.filter((document) => ids.has(document._id));
    },
    isLaneTaken,
    async follow(lane) {
      await whileUnreachable(() => collection.updateMany({ lane }, { $set: { followed: true } }));
    },
    advanceLane: (lane, due) => advanceLane({ lane, due }),
    async stuckLanes(limit) {
      const heads = await collection
        .aggregate<{ _id: string }>(
          [
            { $match: { lane: { $gt: '' } } },
            { $sort: { lane: 1, position: 1 } },
            { $group: { _id: '$lane', waitsFor: { $first: '$waitsFor' } } },
            { $match: { waitsFor: 'turn' } },
            { $limit: limit },
          ],
          query,
        )
        .toArray();
      return heads.map(({ _id }) => _id);
    },
    async resume(subscriptionId, due) {
      const { modifiedCount } = await whileUnreachable(() =>
        collection.updateMany(
          { subscriptionId, waitsFor: 'resume' },
          { $set: { due, waitsFor: null, dueLease: null }, $inc: { version: 1 } },
        ),
      );
      return modifiedCount;
    },
    async paused() {
      const found = await collection
        .aggregate<{ _id: string }>([{ $match: { waitsFor: 'resume' } }, { $group: { _id: '$subscriptionId' } }], {
          ...query,
          hint: 'paused',
        })
        .toArray();
      return found.map(({ _id }) => _id);
    },
    change,
    async pullBack(now) {
      await collection.updateMany({ 'due.at': { $gt: now } }, [
        { $set: { 'due.at': { $min: ['$due.at', { $add: [now, '$due.waitMs'] }] } } },
      ]);
    },
    async page(subscriptionId, after, limit) {
      const stored = await whileUnreachable(() =>
        collection
          .find({ subscriptionId, ...(after && olderThan(after)) }, { ...query, projection: { body: 0 } })
          .sort({ createdAt: -1, _id: -1 })
          .limit(limit)
          .toArray(),
      );
      return stored.map(toDelivery);
    },
    async remove(id) {
      await collection.deleteOne({ _id: id });
    },
    async removeAll(subscriptionId) {
      await whileUnreachable(() => collection.deleteMany({ subscriptionId }));
    },
  };
}

/** The ids that were there before. */
async function insertNew(
  collection: Collection<DeliveryDocument>,
  documents: readonly DeliveryDocument[],
  attempt: number,
): Promise<ReadonlySet<string>> {
  try {
    await collection.insertMany(documents, { ordered: false });
    return new Set();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (!failed.every(({ code }) => code === 11000)) throw error;
    const there = failed.map(({ index }) => documents[index]!);
    if (attempt === 0) return new Set(there.map(({ _id }) => _id));
    // The first insert's answer was lost: what is there under our own lease is our own.
    const own = await collection
      .find({ $or: there.map(({ _id, dueLease }) => ({ _id, 'dueLease.owner': dueLease?.owner ?? 'nobody' })) })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    const ours = new Set(own.map(({ _id }) => _id));
    return new Set(there.map(({ _id }) => _id).filter((id) => !ours.has(id)));
  }
}

function heldBy(id: string, lease: DueLease | null): Filter<DeliveryDocument> {
  return { _id: id, 'dueLease.owner': lease?.owner ?? 'nobody' };
}

function olderThan([createdAtMs, id]: LogPosition): Filter<DeliveryDocument> {
  const createdAt = new Date(createdAtMs);
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] };
}

/** The write of a delivery's progress under its claim. */
function progress({ delivery, lease }: Claimed) {
  return {
    updateOne: { filter: heldBy(delivery.id, lease), update: { $set: progressOf(delivery), $inc: { version: 1 } } },
  };
}

/** What changes in the lifecycle of a delivery. */
function progressOf({ status, lane, due, waitsFor, attempts, attemptsLeft }: Delivery) {
  return { status, lane, due, waitsFor, attempts, attemptsLeft };
}

function toFields({ id, ...fields }: Delivery): Omit<DeliveryDocument, 'dueLease' | 'followed' | 'version'> {
  return { _id: id, ...fields };
}

export function toDelivery(stored: DeliveryDocument): Delivery {
  const { _id, dueLease: _dueLease, followed: _followed, version: _version, ...fields } = stored;
  return { id: _id, ...fields };
}
