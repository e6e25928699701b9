import { decided } from '@parley/errors';
import type { Encryptor } from '@parley/secrets';
import { batch, batching } from '@parley/queues';
import {
  type BulkFilter,
  type Due,
  dueIndex,
  isFree,
  type Lease,
  openDocuments,
  type PlainDocuments,
} from '@parley/aggregates';
import type { Db } from 'mongodb';
import { beginTurns, type Delivery, isSettled, retryInOrder, returnTurn } from './delivery.ts';

/** A delivery, and what the processes that send it agree on. */
export interface StoredDelivery extends Delivery {
  /** The lease of the process that sends it; an expired one is free. */
  readonly claim: Lease | null;
  /** Another delivery waits behind it in the lane: the process that settles this one has to search for it. */
  readonly hasSuccessor: boolean;
}

/** A delivery that this process may work at, and what proves it. */
export interface Claimed {
  readonly delivery: Delivery;
  readonly lease: Lease | null;
  /** Another delivery is known to wait behind it in the lane. */
  readonly hasSuccessor?: boolean;
  /** Its result is stored without waiting for many others: the process has the next one of the lane in memory. */
  readonly isNextReady?: boolean;
}

/** A delivery as the log shows it: what was sent is not part of it. */
export type LoggedDelivery = Omit<Delivery, 'sealedBody'>;

/** The end of a page of the log. */
export type LogPosition = readonly [createdAtMs: number, id: string];

export type DeliveryFilter = BulkFilter<StoredDelivery>;

export type Deliveries = Awaited<ReturnType<typeof openDeliveries>>;

const deliveryIndexes = [
  dueIndex,
  {
    name: 'subscription_due',
    key: { subscriptionId: 1, 'due.at': 1 },
    partialFilterExpression: { 'due.at': { $exists: true } },
  },
  // `$gt: ''` is "a string" in a form that the planner matches with a query's `$in`; `$type` is not.
  { name: 'lane_position', key: { lane: 1, position: 1, waitsFor: 1 }, partialFilterExpression: { lane: { $gt: '' } } },
  { name: 'paused', key: { subscriptionId: 1 }, partialFilterExpression: { waitsFor: 'resume' } },
  { name: 'log', key: { subscriptionId: 1, createdAt: -1, _id: -1 } },
  // Of few deliveries: what is delivered costs nothing here.
  ...(['failed', 'held'] as const).map((status) => ({
    name: status,
    key: { subscriptionId: 1, createdAt: 1, _id: 1 },
    partialFilterExpression: { status },
  })),
  { name: 'created', key: { createdAt: 1 } },
  { name: 'company', key: { companyId: 1, _id: 1 } },
] as const;

type Bulk = PlainDocuments<StoredDelivery>['bulk'];

export async function openDeliveries(db: Db) {
  const documents = await openDocuments<StoredDelivery>({
    db,
    collection: 'deliveries',
    indexes: deliveryIndexes.map((index) => ({ ...index })),
  });
  const { bulk } = documents;
  const record = recordResults(bulk);
  return {
    startExpiry: documents.startExpiry,
    startClaimedWork: documents.startClaimedWork,
    /** Stores a new delivery, claimed or not; false when it is there already. */
    insert: batch(
      (claimed: readonly Claimed[]) =>
        bulk.createMissing(
          claimed.map(({ delivery, lease }) => ({
            ...delivery,
            claim: lease,
            hasSuccessor: lease === null && waits(delivery),
          })),
        ),
      batching.deliveries,
    ),
    record,
    ...claiming(bulk, record),
    ...lanesOf(bulk),
    ...pausesOf(bulk),
    ...logOf(documents),
  };
}

/** Stores the result of an attempt and releases the claim; false when certainly no other delivery waits for it in the database. */
function recordResults(bulk: Bulk): (claimed: Claimed) => Promise<boolean> {
  async function recordAll(recorded: readonly Claimed[]): Promise<boolean[]> {
    const results = recorded.map(resultOf);
    const guarded = results.map((result, index) =>
      isInDoubt(recorded[index]!) ? { ...result, where: { ...result.where, hasSuccessor: false } } : result,
    );
    if ((await bulk.assignEach(guarded)) === recorded.length) return recorded.map((one) => !isInDoubt(one));
    // Written ones have released their claim, so this matches only the others.
    await bulk.assignEach(results);
    const certain = await withoutSuccessor(recorded.filter(isInDoubt).map(({ delivery }) => delivery.id));
    return recorded.map((one) => !isInDoubt(one) || !certain.has(one.delivery.id));
  }

  /** Those that are settled and had no successor until then. */
  async function withoutSuccessor(ids: string[]): Promise<ReadonlySet<string>> {
    const filter = { id: { $in: ids }, hasSuccessor: false, lane: null };
    const page = { filter, sort: { id: 1 }, limit: ids.length, omit: ['sealedBody', 'attempts'] } as const;
    return new Set((ids.length === 0 ? [] : await bulk.readPage(page)).map(({ id }) => id));
  }

  const recordLater = batch(recordAll, batching.deliveryResults);
  const recordSoon = batch(recordAll, batching.urgentDeliveryResults);
  return (claimed) => (claimed.hasSuccessor || claimed.isNextReady ? recordSoon : recordLater)(claimed);
}

/** Whether another delivery waits behind it is decided by the write of its result. */
function isInDoubt({ delivery, hasSuccessor = false }: Claimed): boolean {
  return isSettled(delivery) && !hasSuccessor;
}

function resultOf({ delivery, lease }: Claimed) {
  return {
    id: delivery.id,
    where: { 'claim.owner': lease?.owner ?? 'nobody' },
    fields: { ...progressOf(delivery), claim: null, ...(waits(delivery) && { hasSuccessor: true }) },
  };
}

function claiming(bulk: Bulk, record: (claimed: Claimed) => Promise<boolean>) {
  /** Claims those of the found deliveries that have not changed since, and changes them in the same write. */
  async function claim(
    found: readonly StoredDelivery[],
    lease: Lease,
    change: (delivery: Delivery, nth: number) => Delivery,
  ): Promise<StoredDelivery[]> {
    const changes = found.map((from, nth) => ({
      from,
      to: { ...from, ...change(toDelivery(from), nth), claim: lease },
    }));
    const written = await bulk.replaceUnchanged(changes);
    return changes.filter((_, index) => written[index]).map(({ to }) => to);
  }

  return {
    /** The due and unclaimed deliveries, by subscription in the order of their ids, the longest due of each first. */
    due: (claimable: DeliveryFilter, after: string, except: readonly string[], limit: number) =>
      bulk.readPage({
        filter: { ...claimable, subscriptionId: { $gt: after, $nin: [...except] } },
        sort: { subscriptionId: 1, 'due.at': 1 },
        limit,
        index: 'subscription_due',
      }),
    claim,
    /** Claims the lane's first deliveries, if they wait for their turn, with their attempts started; in their order. */
    async takeTurns(lane: string, lease: Lease, limit: number, now: Date): Promise<Claimed[]> {
      const index = 'lane_position';
      const found = await bulk.readPage({ filter: { lane }, sort: { lane: 1, position: 1 }, limit, index });
      const waiting = firstOf(found, (stored) => waits(stored) && isFree(stored.claim));
      const begun = beginTurns(waiting.map(toDelivery), now);
      const claimed = await claim(waiting, lease, (_delivery, nth) => begun[nth]!);
      // One that changed meanwhile is left, and so is what is behind it.
      const taken = firstOf(claimed, ({ id }, nth) => id === waiting[nth]!.id);
      const left = claimed.slice(taken.length).map((stored) => ({ delivery: returnTurn(toDelivery(stored)), lease }));
      await Promise.all(left.map(record));
      return taken.map((stored) => ({ delivery: toDelivery(stored), lease, hasSuccessor: true }));
    },
  };
}

function lanesOf(bulk: Bulk) {
  const heads = async (lanes: readonly string[]) => {
    const found = await bulk.firstOfEach({
      by: 'lane',
      filter: { lane: { $in: [...new Set(lanes)] } },
      sort: { lane: 1, position: 1 },
      fields: ['id', 'waitsFor'],
    });
    return new Map(found.map((head) => [head.lane, head]));
  };

  const advanceLane = batch(async (moves: readonly { lane: string; due: Due }[]) => {
    const first = await heads(moves.map(({ lane }) => lane));
    const next = moves.flatMap(({ lane, due }) => {
      const head = first.get(lane);
      return head?.waitsFor === 'turn' ? [{ id: head.id, due }] : [];
    });
    await bulk.assignEach(
      next.map(({ id, due }) => ({ id, where: { waitsFor: 'turn' }, fields: { due, waitsFor: null } })),
    );
    return moves.map(({ lane }) => first.get(lane)?.waitsFor === 'turn');
  }, batching.lanes);

  return {
    /** True when a delivery of the lane is unsettled. */
    isLaneTaken: batch(async (lanes: readonly string[]) => {
      const taken = await heads(lanes);
      return lanes.map((lane) => taken.has(lane));
    }, batching.lanes),
    /** Marks for the process that settles a delivery of the lane that another one waits; false when none is being tried. */
    async markSuccessor(lane: string): Promise<boolean> {
      // Those that wait for their turn in the database are marked from the start; a claimed one is sent by the process that stored it.
      const tried = { $or: [{ waitsFor: { $ne: 'turn' as const } }, { 'claim.until': { $gt: new Date() } }] };
      return (await bulk.assignAll({ lane, ...tried }, { hasSuccessor: true })) > 0;
    },
    /** Makes the lane's first delivery due if it waits for its turn; true when there was one. */
    advanceLane: (lane: string, due: Due) => advanceLane({ lane, due }),
    /** Lanes whose first delivery is not due: the process that settled the previous one crashed before it advanced the lane. */
    async stuckLanes(limit: number): Promise<string[]> {
      const heads = await bulk.firstOfEach({
        by: 'lane',
        filter: { lane: { $gt: '' } },
        sort: { lane: 1, position: 1 },
        fields: ['waitsFor'],
        having: { waitsFor: 'turn' },
        limit,
      });
      return heads.flatMap(({ lane }) => lane ?? []);
    },
  };
}

function pausesOf(bulk: Bulk) {
  return {
    /** Makes due what was to be tried during a pause; how many there were. */
    resume: (subscriptionId: string, due: Due): Promise<number> =>
      bulk.assignAll({ subscriptionId, waitsFor: 'resume' }, { due, waitsFor: null, claim: null }),
    /** Subscriptions with deliveries that wait for a resume. */
    async paused(): Promise<string[]> {
      const filter = { waitsFor: 'resume' } as const;
      const sort = { subscriptionId: 1 } as const;
      const found = await bulk.firstOfEach({ by: 'subscriptionId', filter, sort, fields: [], index: 'paused' });
      return found.map(({ subscriptionId }) => subscriptionId);
    },
  };
}

function logOf({ acrossCompanies, bulk }: PlainDocuments<StoredDelivery>) {
  return {
    /** Decides on a delivery, again after a write conflict. Undefined when there is none. */
    async change(
      subscriptionId: string,
      id: string,
      decide: (current: Delivery) => Delivery,
    ): Promise<Delivery | undefined> {
      const changed = await acrossCompanies.changeIfExists(id, (current) => {
        if (current.subscriptionId !== subscriptionId) return decided(current);
        const delivery = toDelivery(current);
        const next = decide(delivery);
        return decided(next === delivery ? current : { ...current, ...next, claim: null });
      });
      return changed?.subscriptionId === subscriptionId ? toDelivery(changed) : undefined;
    },
    /** Sends deliveries of a status again, the oldest since then first; those that are planned now. */
    async retryAll(
      { subscriptionId, status, since }: { subscriptionId: string; status: 'failed' | 'held'; since: Date },
      limit: number,
      now: Date,
    ): Promise<Delivery[]> {
      const filter = { subscriptionId, status, createdAt: { $gte: since } };
      const page = { filter, sort: { createdAt: 1, id: 1 }, limit, index: status, omit: ['sealedBody'] } as const;
      const found = await bulk.readPage(page);
      const changes = found.map((from) => {
        const next = retryInOrder(toDelivery(from), now);
        return { from, to: { ...from, ...next, claim: null, hasSuccessor: waits(next) } };
      });
      const written = await bulk.replaceUnchanged(changes);
      return changes.filter((_, index) => written[index]).map(({ to }) => toDelivery(to));
    },
    /** Newest first. */
    async page(subscriptionId: string, after: LogPosition | undefined, limit: number): Promise<LoggedDelivery[]> {
      const filter = { subscriptionId, ...(after && olderThan(after)) };
      const page = await bulk.readPage({ filter, sort: { createdAt: -1, id: -1 }, limit, omit: ['sealedBody'] });
      return page.map(toDelivery);
    },
    /** Deliveries of a company, in the order of their ids. */
    async ofCompany(companyId: string, after: string, limit: number): Promise<Delivery[]> {
      const filter = { companyId, id: { $gt: after } };
      return (await bulk.readPage({ filter, sort: { id: 1 }, limit, index: 'company' })).map(toDelivery);
    },
    async remove(id: string): Promise<void> {
      await bulk.removeAll({ id });
    },
    async removeAll(subscriptionId: string): Promise<void> {
      await bulk.removeAll({ subscriptionId });
    },
  };
}

/** Those before the first one that does not fit. */
function firstOf<Item>(items: readonly Item[], fits: (item: Item, index: number) => boolean): readonly Item[] {
  const end = items.findIndex((item, index) => !fits(item, index));
  return end < 0 ? items : items.slice(0, end);
}

function olderThan([createdAtMs, id]: LogPosition): DeliveryFilter {
  const createdAt = new Date(createdAtMs);
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }] };
}

/** One that waits for its turn in the database is most likely before another one; whoever settles it looks. */
function waits({ waitsFor }: Pick<Delivery, 'waitsFor'>): boolean {
  return waitsFor === 'turn';
}

/** The fields that change in the lifecycle of a delivery. */
function progressOf({ status, lane, due, waitsFor, attempts, attemptsLeft }: Delivery) {
  return { status, lane, due, waitsFor, attempts, attemptsLeft };
}

export function toDelivery({ claim: _claim, hasSuccessor: _hasSuccessor, ...delivery }: StoredDelivery): Delivery {
  return delivery;
}

export const bodyContext = (deliveryId: string) => `delivery/${deliveryId}/body`;

export type DeliveryBodies = ReturnType<typeof deliveryBodies>;

/** Bodies contain personal data: they are encrypted in the database. */
export function deliveryBodies({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  return {
    seal: (body: string, deliveryId: string) => encrypt(body, bodyContext(deliveryId)),
    open: (sealed: string, deliveryId: string) => decrypt(sealed, bodyContext(deliveryId)),
  };
}
