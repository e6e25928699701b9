import type { Clock } from '@parley/clock';
import { type Event, type EventHandlers, type EventsHandler, nounOf } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import { type Delivery, laneOf, newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryBodies } from '../deliveries/delivery-bodies.ts';
import { deliveryId } from '../deliveries/delivery-id.ts';
import type { Deliveries } from '../deliveries/delivery-store.ts';
import { type Payload, type PayloadSources, webhookBody } from '../payloads/payload.ts';
import { bodyPeople } from '../personal-data/body-people.ts';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { eventNameFor, isDelivering, type Subscription } from '../subscriptions/subscription.ts';

export interface FanOutDeps {
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
  readonly engine: Engine;
  readonly sources: PayloadSources;
  readonly clock: Clock;
}

/** One fact can be several events; their order is that of the payloads. */
const EVENTS_PER_FACT_MAX = 10;
const FIRST_POSITION = EVENTS_PER_FACT_MAX;
const SUBSCRIPTIONS = 'webhooks.subscription.';
/** Deliveries are kept for longer, whatever the retention of their company. */
const RECENT_MS = 3600_000;

export interface FanOut {
  readonly handlers: EventHandlers;
  /** Events of one aggregate: a receiver that answers at once gets them as quickly as they come. */
  readonly handleTogether: EventsHandler;
  readonly togetherOf: 'aggregate';
  /** True for events that match a subscription; most companies have none. */
  relevant(events: readonly Event[]): Promise<boolean[]>;
  /** True for an event whose deliveries are still there if there were any: they are not created again. */
  recognises(event: Event): boolean;
}

/** A delivery that is not decided on yet, with its body. */
interface Planned {
  readonly given: Parameters<typeof newDelivery>[0];
  readonly body: string;
  readonly subscription: Subscription;
}

interface Decided {
  readonly delivery: Delivery;
  readonly body: string;
}

/** Creates a delivery of each event for each matching subscription; a repeated event creates none. */
export function fanOut(payloads: readonly Payload[], deps: FanOutDeps): FanOut {
  const byFact = Map.groupBy(payloads, ({ fact }) => fact as string);

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
    const lanes = Map.groupBy(planned.flat(), ({ given, subscription }) => laneOf(subscription.id, given.subject));
    await Promise.all([...lanes].map(([lane, own]) => deliver(lane, own, deps)));
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
        position: event.aggregateSequence * EVENTS_PER_FACT_MAX + index,
      };
      return { given, body, subscription };
    });
  }

  return {
    handlers: Object.fromEntries(
      [...byFact.keys()].map((fact) => [fact, (_message: unknown, event: Event) => deliverAll([event])]),
    ),
    handleTogether: (events) => deliverAll(events.map(({ event }) => event)),
    togetherOf: 'aggregate',
    relevant: (events) => Promise.all(events.map(isRelevant)),
    recognises: ({ occurredAt }) => deps.clock.now().getTime() - occurredAt.getTime() < RECENT_MS,
  };
}

/** Stores the deliveries of a lane, and starts the first attempt if nothing is before it. */
async function deliver(lane: string, planned: readonly Planned[], deps: FanOutDeps): Promise<void> {
  const { engine, clock } = deps;
  const { lanes } = engine;
  const [{ given: first, body, subscription }] = planned as [Planned];
  const paused = !isDelivering(subscription);
  const decide = (laneFree: boolean): Decided[] =>
    planned.map(({ given, body: own }, index) => {
      const delivery = newDelivery(given, { paused, laneFree: laneFree && index === 0 }, clock.now());
      return { delivery, body: own };
    });
  const isFirst = first.position === FIRST_POSITION;
  const storing = isFirst || paused ? undefined : lanes.storeBehind(lane, decide(false));
  if (storing) return storing;
  // Nothing can be before the first.
  const isFree = isFirst || (!lanes.isRunning(lane) && (await isLaneFree(lane, first.position, deps)));
  const [head, ...others] = decide(isFree) as [Decided, ...Decided[]];
  const started = head.delivery.due ? engine.start(head.delivery, subscription, body) : undefined;
  const behind = started && lanes.claimBehind(others);
  const rest = behind ?? others.map(({ delivery }) => ({ delivery, lease: null }));
  let isNew = false;
  let areNew: readonly boolean[] = [];
  try {
    const all = [started ?? { delivery: head.delivery, lease: null }, ...rest];
    [isNew = false, ...areNew] = await Promise.all(all.map(deps.deliveries.insert));
  } finally {
    if (!isNew) started?.permit.release();
  }
  if (isNew && started)
    engine.run(
      started,
      (behind ?? []).map((one, index) => (areNew[index] ? one : undefined)),
    );
  else if (isNew && head.delivery.due) engine.pollNow();
  if (isNew && behind) return;
  await lanes.returnTurns((behind ?? []).filter((_, index) => areNew[index]));
  if (!paused && (rest.length > 0 || !head.delivery.due)) await lanes.addWaiting(subscription.id, first.subject);
}

/** True when everything before a position is settled. */
async function isLaneFree(lane: string, position: number, { deliveries, engine }: FanOutDeps): Promise<boolean> {
  const sequenceOf = (at: number) => Math.floor(at / EVENTS_PER_FACT_MAX);
  const last = engine.lanes.lastSettled(lane);
  // Sequences have no gaps: nothing can be between an event and its successor, whoever has stored it.
  if (last !== undefined && sequenceOf(last) + 1 === sequenceOf(position)) return true;
  return !(await deliveries.isLaneTaken(lane));
}
