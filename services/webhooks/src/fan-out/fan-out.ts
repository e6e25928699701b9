import type { Clock } from '@parley/clock';
import { type Event, type EventHandlers, nounOf } from '@parley/events';
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

export interface FanOut {
  readonly handlers: EventHandlers;
  /** True for events that match a subscription; most companies have none. */
  relevant(events: readonly Event[]): Promise<boolean[]>;
}

/** Subscriptions that were read to decide whether an event matters are used again if it is applied at once. */
const FRESH_MS = 500;

/** Creates a delivery of each event for each matching subscription; a repeated event creates none. */
export function fanOut(payloads: readonly Payload[], deps: FanOutDeps): FanOut {
  const byFact = Map.groupBy(payloads, ({ fact }) => fact as string);
  const listed = new WeakMap<Event, { subscriptions: readonly Subscription[]; atMs: number }>();

  async function subscriptionsFor(event: Event): Promise<readonly Subscription[]> {
    const known = listed.get(event);
    if (known && performance.now() - known.atMs < FRESH_MS) return known.subscriptions;
    return deps.subscriptions.of(event.companyId).list();
  }

  async function isRelevant(event: Event): Promise<boolean> {
    const ofFact = byFact.get(event.type)?.filter(({ isOf }) => isOf?.(event) ?? true) ?? [];
    if (ofFact.length === 0) return false;
    const subscriptions = await deps.subscriptions.of(event.companyId).list();
    listed.set(event, { subscriptions, atMs: performance.now() });
    return ofFact.some((payload) =>
      subscriptions.some((subscription) => eventNameFor(subscription, payload.event, event.occurredAt) !== null),
    );
  }

  return {
    handlers: Object.fromEntries(
      [...byFact].map(([fact, ofFact]) => [
        fact,
        async (_message: unknown, event: Event) => deliverAll(event, ofFact, await subscriptionsFor(event), deps),
      ]),
    ),
    relevant: (events) => Promise.all(events.map(isRelevant)),
  };
}

async function deliverAll(
  event: Event,
  payloads: readonly Payload[],
  subscriptions: readonly Subscription[],
  deps: FanOutDeps,
): Promise<void> {
  for (const [index, payload] of payloads.entries()) {
    const wanted = subscriptions.flatMap((subscription) => {
      const name = eventNameFor(subscription, payload.event, event.occurredAt);
      return name === null ? [] : [{ subscription, name }];
    });
    const data = wanted.length > 0 && (await payload.data(event, deps.sources));
    if (!data) continue;
    const position = event.aggregateSequence * EVENTS_PER_FACT_MAX + index;
    const bodies = new Map(wanted.map(({ name }) => [name, webhookBody(name, event.occurredAt, data)]));
    const { phoneNumbers, since } = bodyPeople(payload.event, JSON.stringify(data), event.occurredAt);
    if (await deps.erased.wasErased(event.companyId, phoneNumbers, since)) continue;
    await Promise.all(
      wanted.map(({ subscription, name }) => {
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
          position,
        };
        return deliver(given, body, subscription, deps);
      }),
    );
  }
}

async function deliver(
  given: Parameters<typeof newDelivery>[0],
  body: string,
  subscription: Subscription,
  { deliveries, engine, clock }: FanOutDeps,
): Promise<void> {
  const lane = laneOf(subscription.id, given.subject);
  // Nothing can be before the first.
  const laneFree =
    given.position === FIRST_POSITION || (!engine.isTrying(lane) && !(await deliveries.isLaneTaken(lane)));
  const delivery = newDelivery(given, { paused: !isDelivering(subscription), laneFree }, clock.now());
  if (delivery.due) return send(delivery, body, subscription, deliveries, engine);
  await deliveries.insert({ delivery, lease: null });
  if (delivery.waitsFor === 'turn') await engine.addWaiting(subscription.id, given.subject);
}

async function send(
  delivery: Delivery,
  body: string,
  subscription: Subscription,
  deliveries: Deliveries,
  engine: Engine,
): Promise<void> {
  const started = engine.start(delivery, subscription, body);
  let isNew = false;
  try {
    isNew = await deliveries.insert(started ?? { delivery, lease: null });
  } finally {
    if (!isNew) started?.permit.release();
  }
  if (!isNew) return;
  if (started) engine.run(started);
  else engine.pollNow();
}
