import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { decided, Refused } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import { createInFreeSlot, openAggregates, type Relay, slotTaken } from '@parley/aggregates';
import { batch, cache } from '@parley/queues';
import type { Db } from 'mongodb';
import {
  adjustToClock,
  deleteSubscription,
  type Subscription,
  type SubscriptionDecision,
  type SubscriptionEvent,
  tooManySubscriptions,
} from './subscription.ts';

interface StoredSubscription extends Subscription {
  /** One of the company's numbered slots; there are as many as it may have subscriptions, so the cap cannot be exceeded. */
  readonly slot: number;
}

export type Subscriptions = Awaited<ReturnType<typeof openSubscriptions>>;

/** Most companies have no subscription, and all of them many events. The age of what a process knows about a company. */
export const LISTED_MS = 200;
const COMPANIES = 10_000;

export async function openSubscriptions(db: Db, relay: Relay, clock: Clock) {
  const documents = await openAggregates<StoredSubscription, SubscriptionEvent>({
    db,
    collection: 'subscriptions',
    relay,
    clock,
    encode: ({ type, subscriptionId }) => encodeMessage(type, { subscriptionId }),
    indexes: [
      { name: 'company_slot', key: { companyId: 1, slot: 1 }, unique: true },
      { name: 'company_oldest', key: { companyId: 1, createdOrder: 1 } },
    ],
    collisions: { company_slot: slotTaken },
  });

  const listed = batch(async (companyIds: readonly string[]) => {
    const byCompany = await documents.findByCompanies(companyIds, { createdOrder: 1 });
    return companyIds.map((companyId) => byCompany.get(companyId)?.map(toSubscription) ?? []);
  });

  const recent = cache<readonly Subscription[]>({ ageMaxMs: LISTED_MS, max: COMPANIES });
  /** As it was `LISTED_MS` ago at most; without a query if it was listed since. */
  const listRecent = (companyId: string) => recent.get(companyId, () => listed(companyId));

  /** As it is now, of any company. */
  const current = batch(async (ids: readonly string[]) => {
    const byId = new Map<string, Subscription>();
    const found = documents.acrossCompanies.find({ id: { $in: [...new Set(ids)] } }, { id: 1 });
    for await (const stored of found) byId.set(stored.id, toSubscription(stored));
    return ids.map((id) => byId.get(id));
  });

  return {
    /** One company's subscriptions. Another company's id is an unknown id here, by construction. */
    of(companyId: string) {
      const own = documents.of(companyId);
      return {
        async get(id: string): Promise<Subscription | undefined> {
          const stored = await own.get(id);
          return stored && toSubscription(stored);
        },
        /** Oldest first. */
        list: (): Promise<Subscription[]> => listed(companyId),
        listRecent: () => listRecent(companyId),
        /** At most `max`. Throws `Refused`. */
        async create(decision: SubscriptionDecision, max: number): Promise<Subscription> {
          if (!decision.ok) throw new Refused(decision.refusal);
          const { state, events } = decision;
          const slots = { among: {}, field: 'slot', max, full: tooManySubscriptions(max) } as const;
          return toSubscription(await createInFreeSlot(own, slots, (slot) => decided({ ...state, slot }, events)));
        },
        /** Throws `Refused`. */
        async change(id: string, decide: (current: Subscription) => SubscriptionDecision): Promise<Subscription> {
          const changed = await own.change(id, (stored) => {
            const decision = decide(toSubscription(stored));
            return decision.ok ? decided({ ...stored, ...decision.state }, decision.events) : decision;
          });
          return toSubscription(changed);
        },
        /** Throws `Refused` when there is none. */
        async remove(id: string): Promise<void> {
          await own.change(id, deleteSubscription);
        },
      };
    },
    /** Resolves when no process uses a list from before this call any more: what happens then is for the changed subscriptions. */
    seenByAll: (): Promise<void> => sleep(LISTED_MS),
    /** For the sender: as it was `LISTED_MS` before this call at most. Undefined only when there is none. */
    async recent(companyId: string, id: string): Promise<Subscription | undefined> {
      const listed = await listRecent(companyId);
      // A list may be older than the subscription.
      return listed.find((subscription) => subscription.id === id) ?? current(id);
    },
    current,
    /** Reads all companies, for maintenance. Read it to its end or leave the loop. */
    async *all(): AsyncGenerator<Subscription> {
      for await (const stored of documents.acrossCompanies.find({}, { id: 1 })) yield toSubscription(stored);
    },
    /** After the clock was moved back: adjusts times that would lie in the future. */
    async pullBack(now: Date): Promise<void> {
      for await (const { id } of documents.acrossCompanies.find({}, { id: 1 }))
        await documents.acrossCompanies.changeIfExists(id, (stored) =>
          decided({ ...stored, ...adjustToClock(toSubscription(stored), now) }),
        );
    },
  };
}

function toSubscription({ slot: _slot, ...subscription }: StoredSubscription): Subscription {
  return subscription;
}
