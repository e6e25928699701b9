import type { Clock } from '@parley/clock';
import { type Event, type EventHandlers, nounOf } from '@parley/events';
import { type Delivery, laneOf, newDelivery } from '../deliveries/delivery.ts';
import { deliveryId } from '../deliveries/delivery-id.ts';
import type { Deliveries } from '../deliveries/delivery-store.ts';
import { type Payload, webhookBody } from '../payloads/payload.ts';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { hears, type Subscription } from '../subscriptions/subscription.ts';

export interface FanOutDeps {
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly engine: Engine;
  readonly clock: Clock;
}

/** One fact can be several events; their order is that of the payloads. */
const EVENTS_PER_FACT_MAX = 10;
const FIRST_PLACE = EVENTS_PER_FACT_MAX;

/** Makes a delivery of each event for each subscription that wants it; the same event again makes none. */
export function fanOut(payloads: readonly Payload[], deps: FanOutDeps): EventHandlers {
  const byFact = Map.groupBy(payloads, ({ fact }) => fact);
  return Object.fromEntries(
    [...byFact].map(([fact, ofFact]) => [fact, (_message: unknown, event: Event) => deliverAll(event, ofFact, deps)]),
  );
}

async function deliverAll(event: Event, payloads: readonly Payload[], deps: FanOutDeps): Promise<void> {
  const subscriptions = await deps.subscriptions.of(event.companyId).list();
  if (subscriptions.length === 0) return;
  for (const [index, payload] of payloads.entries()) {
    const wanted = subscriptions.flatMap((subscription) => {
      const name = hears(subscription, payload.event, event.occurredAt);
      return name === null ? [] : [{ subscription, name }];
    });
    const data = wanted.length > 0 && payload.data(event.data);
    if (!data) continue;
    const place = event.aggregateSequence * EVENTS_PER_FACT_MAX + index;
    const bodies = new Map(wanted.map(({ name }) => [name, webhookBody(name, event.occurredAt, data)]));
    await Promise.all(
      wanted.map(({ subscription, name }) => {
        const given = {
          id: deliveryId(event.id, payload.event, subscription.id),
          companyId: event.companyId,
          subscriptionId: subscription.id,
          event: name,
          body: bodies.get(name)!,
          createdAt: event.occurredAt,
          traceparent: event.traceparent ?? null,
          // What is numbered on its own: see the sequence in @parley/events.
          subject: `${event.aggregateId}:${nounOf(event.type)}`,
          place,
        };
        return deliver(given, subscription, deps);
      }),
    );
  }
}

async function deliver(
  given: Parameters<typeof newDelivery>[0],
  subscription: Subscription,
  { deliveries, engine, clock }: FanOutDeps,
): Promise<void> {
  const lane = laneOf(subscription.id, given.subject);
  // Nothing can be before the first.
  const laneFree = given.place === FIRST_PLACE || !(await deliveries.isLaneTaken(lane));
  const delivery = newDelivery(given, { paused: !subscription.active, laneFree }, clock.now());
  if (delivery.due) return send(delivery, subscription, deliveries, engine);
  await deliveries.insert({ delivery, lease: null });
  if (delivery.waitsFor !== 'turn') return;
  await deliveries.follow(lane);
  // The one before it may have been settled before it could know of this one.
  await engine.moveLaneOn(subscription.id, given.subject);
}

async function send(
  delivery: Delivery,
  subscription: Subscription,
  deliveries: Deliveries,
  engine: Engine,
): Promise<void> {
  const started = engine.start(delivery, subscription);
  let isNew = false;
  try {
    isNew = await deliveries.insert(started ?? { delivery, lease: null });
  } finally {
    if (!isNew) started?.passage.end();
  }
  if (!isNew) return;
  if (started) engine.carryOut(started);
  else engine.nudge();
}
