import type { Clock } from '@parley/clock';
import { type BatchHandler, type Event, nounOf } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import { deliveryId, laneOf, positionOf } from '../deliveries/delivery.ts';
import type { DeliveryBodies } from '../deliveries/delivery-store.ts';
import { type Payload, type PayloadSources, webhookBody } from '../payloads/payloads.ts';
import { bodyPeople } from '../personal-data/body-people.ts';
import type { Added, Lanes } from '../sending/lanes.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { eventNameFor, type Subscription } from '../subscriptions/subscription.ts';

export interface FanOutDeps {
  readonly subscriptions: Subscriptions;
  readonly bodies: DeliveryBodies;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
  readonly lanes: Pick<Lanes, 'add'>;
  readonly sources: PayloadSources;
  readonly clock: Clock;
}

const SUBSCRIPTIONS = 'webhooks.subscription.';
/** Deliveries are kept for longer, whatever the retention of their company. */
const RECENT_MS = 3600_000;

export interface FanOut {
  /** Events of one aggregate: a receiver that answers at once gets them as quickly as they come. */
  readonly handlers: BatchHandler;
  /** True for events that match a subscription; most companies have none. */
  relevant(events: readonly Event[]): Promise<boolean[]>;
  /** True for an event whose deliveries are still there if there were any: they are not created again. */
  toleratesReplay(event: Event): boolean;
}

interface Planned extends Added {
  readonly subscription: Subscription;
}

/** Creates a delivery of each event for each matching subscription; a repeated event creates none. */
export function fanOut(payloads: readonly Payload[], deps: FanOutDeps): FanOut {
  const byFact: ReadonlyMap<string, readonly Payload[]> = Map.groupBy(payloads, ({ fact }) => fact);

  async function subscriptionsFor({ companyId, type }: Event): Promise<readonly Subscription[]> {
    const own = deps.subscriptions.of(companyId);
    // The event of a change of subscriptions is for the changed ones, before the change is answered.
    return type.startsWith(SUBSCRIPTIONS) ? own.list() : own.listRecent();
  }

  async function isRelevant(event: Event): Promise<boolean> {
    const ofFact = byFact.get(event.type)?.filter(({ isOf }) => isOf?.(event) ?? true) ?? [];
    if (ofFact.length === 0) return false;
    const subscriptions = await subscriptionsFor(event);
    return ofFact.some((payload) =>
      subscriptions.some((subscription) => eventNameFor(subscription, payload.event, event.occurredAt) !== null),
    );
  }

  /** Events of one aggregate. */
  async function deliverAll(events: readonly Event[]): Promise<void> {
    const [first] = events;
    if (!first) return;
    const subscriptions = await subscriptionsFor(first);
    const planned = await Promise.all(events.map((event) => plan(event, subscriptions)));
    // Those of a lane are stored in their order, by one command or one after the other: none without those before it.
    const byLane = Map.groupBy(planned.flat(), ({ given }) => laneOf(given.subscriptionId, given.subject));
    await Promise.all([...byLane.values()].map((added) => deps.lanes.add(added[0]!.subscription, added)));
  }

  /** The deliveries of an event, in their order. */
  async function plan(event: Event, subscriptions: readonly Subscription[]): Promise<Planned[]> {
    const payloadsOf = byFact.get(event.type) ?? [];
    const all = await Promise.all(
      payloadsOf.map((payload, index) => planPayload(event, payload, index, subscriptions)),
    );
    return all.flat();
  }

  async function planPayload(
    event: Event,
    payload: Payload,
    index: number,
    subscriptions: readonly Subscription[],
  ): Promise<Planned[]> {
    const wanted = subscriptions.flatMap((subscription) => {
      const name = eventNameFor(subscription, payload.event, event.occurredAt);
      return name === null ? [] : [{ subscription, name }];
    });
    const data = wanted.length > 0 && (await payload.data(event, deps.sources));
    if (!data) return [];
    const bodies = new Map(wanted.map(({ name }) => [name, webhookBody(name, event.occurredAt, data)]));
    const { phoneNumbers, since } = bodyPeople(payload.event, JSON.stringify(data), event.occurredAt);
    if (await deps.erased.wasErased(event.companyId, phoneNumbers, since)) return [];
    return wanted.map(({ subscription, name }) => {
      const id = deliveryId(event.id, payload.event, subscription.id);
      const body = bodies.get(name)!;
      const given = {
        id,
        companyId: event.companyId,
        subscriptionId: subscription.id,
        event: name,
        sealedBody: deps.bodies.seal(body, id),
        createdAt: event.occurredAt,
        traceparent: event.traceparent ?? null,
        // Aggregate and noun: events are numbered per noun, see the sequence in @parley/events.
        subject: `${event.aggregateId}:${nounOf(event.type)}`,
        position: positionOf(event.aggregateSequence, index),
      };
      return { given, body, subscription };
    });
  }

  return {
    handlers: {
      types: payloads.map(({ fact }) => fact),
      batchPer: 'aggregate',
      handleBatch: (events) => deliverAll(events.map(({ event }) => event)),
    },
    relevant: (events) => Promise.all(events.map(isRelevant)),
    toleratesReplay: ({ occurredAt }) => deps.clock.now().getTime() - occurredAt.getTime() < RECENT_MS,
  };
}
