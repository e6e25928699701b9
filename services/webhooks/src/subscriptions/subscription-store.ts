import type { Decision } from '@parley/errors';
import { notFound, Refused } from '@parley/errors';
import { coalesce, collidedIndex, QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';
import { BOTH_SIGN_MS, type Subscription } from './subscription.ts';

interface SubscriptionDocument extends Omit<Subscription, 'id'> {
  _id: string;
  /** One of the company's numbered slots; there are as many as it may have subscriptions, so the cap cannot be exceeded. */
  slot: number;
  /** Grows with every write; a write decided on an older one is decided again. */
  version: number;
}

/** One company's subscriptions. Another company's id is an unknown id here, by construction. */
export interface CompanySubscriptions {
  get(id: string): Promise<Subscription | undefined>;
  /** Oldest first. */
  list(): Promise<Subscription[]>;
  /** `decide` is told how many there are; it decides again when somebody else was faster. Throws `Refused`. */
  create(decide: (count: number) => Decision<Subscription, never>, max: number): Promise<Subscription>;
  /** Throws `Refused`. */
  change(id: string, decide: (current: Subscription) => Decision<Subscription, never>): Promise<Subscription>;
  /** Throws `Refused` when there is none. */
  remove(id: string): Promise<void>;
}

export interface Subscriptions {
  of(companyId: string): CompanySubscriptions;
  /** For the sender, which no company asked: the subscription as it is at this moment, if it still is. */
  current(id: string): Promise<Subscription | undefined>;
  /** For upkeep, which no company asked for. Read it to its end or leave the loop. */
  all(): AsyncIterable<Subscription>;
  /** After a clock went back: nothing waits for a time that was only pretended. */
  pullBack(now: Date): Promise<void>;
  readonly collection: Collection<SubscriptionDocument>;
}

/** Writers that meet on one document or one free slot decide again this often. */
const CLASHES_MAX = 200;

const indexes = [
  { name: 'company_slot', key: { companyId: 1, slot: 1 }, unique: true },
  { name: 'company_oldest', key: { companyId: 1, createdOrder: 1 } },
] as const;

export async function openSubscriptions(db: Db): Promise<Subscriptions> {
  const collection = db.collection<SubscriptionDocument>('subscriptions');
  await collection.createIndexes(indexes.map((index) => ({ ...index })));
  const query = { maxTimeMS: QUERY_TIME_MAX_MS };

  async function create(companyId: string, decide: (count: number) => Decision<Subscription, never>, max: number) {
    for (let clash = 0; clash < CLASHES_MAX; clash++) {
      const others = await whileUnreachable(() =>
        collection.find({ companyId }, { ...query, projection: { slot: 1 } }).toArray(),
      );
      const decision = decide(others.length);
      if (!decision.ok) throw new Refused(decision.refusal);
      const slot = freeSlot(new Set(others.map((other) => other.slot)), max);
      if (await insert({ ...toFields(decision.state), slot, version: 1 })) return decision.state;
    }
    throw new Error(`too many writers at the subscriptions of ${companyId}`);
  }

  /** False when another process has taken the slot. */
  async function insert(document: SubscriptionDocument): Promise<boolean> {
    return whileUnreachable(async (attempt) => {
      try {
        await collection.insertOne(document);
        return true;
      } catch (error) {
        const index = collidedIndex(error);
        if (index === undefined) throw error;
        // A repeated insert that meets itself: the first one's answer was lost, not the document.
        return attempt > 0 && (await collection.findOne({ _id: document._id })) !== null;
      }
    });
  }

  async function change(
    companyId: string,
    id: string,
    decide: (current: Subscription) => Decision<Subscription, never>,
  ) {
    for (let clash = 0; clash < CLASHES_MAX; clash++) {
      const stored = await whileUnreachable(() => collection.findOne({ _id: id, companyId }, query));
      if (!stored) throw new Refused(notFound);
      const decision = decide(toSubscription(stored));
      if (!decision.ok) throw new Refused(decision.refusal);
      // A write whose answer was lost meets a newer version and is decided again on its own result: that changes nothing.
      const { matchedCount } = await whileUnreachable(() =>
        collection.updateOne(
          { _id: id, version: stored.version },
          { $set: { ...toFields(decision.state), version: stored.version + 1 } },
        ),
      );
      if (matchedCount === 1) return decision.state;
    }
    throw new Error(`too many writers at subscription ${id}`);
  }

  async function remove(companyId: string, id: string): Promise<void> {
    const gone = await whileUnreachable(async (attempt) => {
      const { deletedCount } = await collection.deleteOne({ _id: id, companyId });
      return deletedCount === 1 || attempt > 0;
    });
    if (!gone) throw new Refused(notFound);
  }

  const listed = coalesce(async (companyIds: readonly string[]) => {
    const found = await whileUnreachable(() =>
      collection
        .find({ companyId: { $in: [...new Set(companyIds)] } }, query)
        .sort({ companyId: 1, createdOrder: 1 })
        .toArray(),
    );
    const byCompany = Map.groupBy(found.map(toSubscription), ({ companyId }) => companyId);
    return companyIds.map((companyId) => byCompany.get(companyId) ?? []);
  });

  const current = coalesce(async (ids: readonly string[]) => {
    const found = await whileUnreachable(() => collection.find({ _id: { $in: [...new Set(ids)] } }, query).toArray());
    const byId = new Map(found.map((stored) => [stored._id, toSubscription(stored)]));
    return ids.map((id) => byId.get(id));
  });

  return {
    collection,
    of: (companyId) => ({
      async get(id) {
        const stored = await whileUnreachable(() => collection.findOne({ _id: id, companyId }, query));
        return stored ? toSubscription(stored) : undefined;
      },
      list: () => listed(companyId),
      create: (decide, max) => create(companyId, decide, max),
      change: (id, decide) => change(companyId, id, decide),
      remove: (id) => remove(companyId, id),
    }),
    current,
    async *all() {
      for await (const stored of collection.find()) yield toSubscription(stored);
    },
    async pullBack(now) {
      const signsUntilMax = new Date(now.getTime() + BOTH_SIGN_MS);
      const secrets = {
        $map: {
          input: '$secrets',
          in: {
            encrypted: '$$this.encrypted',
            // A null, for the current secret, stays one: $min would skip it.
            signsUntil: { $cond: [{ $gt: ['$$this.signsUntil', signsUntilMax] }, signsUntilMax, '$$this.signsUntil'] },
          },
        },
      };
      await collection.updateMany({}, [{ $set: { hearsFrom: { $min: ['$hearsFrom', now] }, secrets } }]);
    },
  };
}

/** Any of the free slots: processes that look at once seldom choose the same one. */
function freeSlot(taken: ReadonlySet<number>, max: number): number {
  const free = Array.from({ length: max }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  return free[Math.floor(Math.random() * free.length)] ?? max;
}

function toFields({ id, ...fields }: Subscription): Omit<SubscriptionDocument, 'slot' | 'version'> {
  return { _id: id, ...fields };
}

function toSubscription({ _id, slot: _slot, version: _version, ...fields }: SubscriptionDocument): Subscription {
  return { id: _id, ...fields };
}
