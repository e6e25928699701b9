import type { Clock } from '@parley/clock';
import { type BatchHandler, type Event, nounOf } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import type { EventType } from '@parley/public-json';
import { deliveryId, laneOf, positionOf } from '../deliveries/delivery.ts';
import type { DeliveryBodies } from '../deliveries/delivery-store.ts';
import type { CompanyLogs, Recording } from '../event-log/company-logs.ts';
import type { EventLogStore, StoredContent } from '../event-log/event-log-store.ts';
import { bodyNamed, keptFrom, publicEventId } from '../event-log/logged-event.ts';
import { type Payload, type PayloadSources, webhookBody } from '../payloads/payloads.ts';
import { bodyPeople } from '../personal-data/body-people.ts';
import type { Added, Lanes } from '../sending/lanes.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { eventNameFor, type Subscription } from '../subscriptions/subscription.ts';

export interface FanOutDeps {
  readonly subscriptions: Subscriptions;
  readonly logs: Pick<CompanyLogs, 'recording'>;
  readonly eventLog: Pick<EventLogStore, 'store' | 'append'>;
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
  /** True for events that match a subscription or are recorded; most companies have neither. */
  relevant(events: readonly Event[]): Promise<boolean[]>;
  /** True for an event whose deliveries are still there if there were any: they are not created again. */
  toleratesReplay(event: Event): boolean;
}

/** Where an event goes. */
interface Destinations {
  readonly wanted: readonly { readonly subscription: Subscription; readonly name: string }[];
  readonly recording: Recording | undefined;
}

/** An event of the public API, taken from an event of a service. */
interface Taken {
  readonly fact: Event;
  readonly event: EventType;
  /** Its number among those of the fact. */
  readonly nth: number;
  readonly destinations: Destinations;
  /** Null when there is nothing to send. */
  readonly body: string | null;
}

interface Planned extends Added {
  readonly subscription: Subscription;
}

/** Records each event, and creates a delivery for each matching subscription; a repeated event changes nothing. */
export function fanOut(payloads: readonly Payload[], deps: FanOutDeps): FanOut {
  const byFact: ReadonlyMap<string, readonly Payload[]> = Map.groupBy(payloads, ({ fact }) => fact);

  /** The payloads of a fact that have a destination, with their numbers. */
  async function withDestinations(fact: Event) {
    const ofFact = [...(byFact.get(fact.type)?.entries() ?? [])].filter(([, { isOf }]) => isOf?.(fact) ?? true);
    if (ofFact.length === 0) return [];
    const [subscriptions, recording] = await Promise.all([subscriptionsFor(fact), recordingFor(fact)]);
    return ofFact.flatMap(([nth, payload]) => {
      const wanted = subscriptions.flatMap((subscription) => {
        const name = eventNameFor(subscription, payload.event, fact.occurredAt);
        return name === null ? [] : [{ subscription, name }];
      });
      return wanted.length > 0 || recording ? [{ nth, payload, destinations: { wanted, recording } }] : [];
    });
  }

  async function subscriptionsFor({ companyId, type }: Event): Promise<readonly Subscription[]> {
    const own = deps.subscriptions.of(companyId);
    // The event of a change of subscriptions is for the changed ones, before the change is answered.
    return type.startsWith(SUBSCRIPTIONS) ? own.list() : own.listRecent();
  }

  async function recordingFor({ companyId, occurredAt }: Event): Promise<Recording | undefined> {
    const recording = await deps.logs.recording(companyId);
    const isInTime = recording && occurredAt >= recording.eventsFrom && occurredAt >= keptFrom(deps.clock.now());
    return isInTime ? recording : undefined;
  }

  /** Events of one aggregate. */
  async function deliverAll(facts: readonly Event[]): Promise<void> {
    const taken = (await Promise.all(facts.map(take))).flat();
    const contents = await Promise.all(taken.map(content));
    const planned = taken.flatMap((one, index) => plan(one, contents[index]!.body));
    // Those of a lane are stored in their order, by one command or one after the other: none without those before it.
    const byLane = Map.groupBy(planned, ({ given }) => laneOf(given.subscriptionId, given.subject));
    await Promise.all([
      append(taken, contents),
      ...[...byLane.values()].map((added) => deps.lanes.add(added[0]!.subscription, added)),
    ]);
  }

  async function take(fact: Event): Promise<Taken[]> {
    const ofFact = await withDestinations(fact);
    return Promise.all(
      ofFact.map(async ({ nth, payload, destinations }) => {
        const { event } = payload;
        return { fact, event, nth, destinations, body: await bodyOf(fact, payload) };
      }),
    );
  }

  /** Null for what is about a person who was erased afterwards, and for what is not there any more. */
  async function bodyOf(fact: Event, { event, data }: Payload): Promise<string | null> {
    const { companyId, occurredAt } = fact;
    const taken = await data(fact, deps.sources);
    if (!taken) return null;
    const body = webhookBody(event, occurredAt, taken);
    const { phoneNumbers, since } = bodyPeople(event, body, occurredAt);
    return (await deps.erased.wasErased(companyId, phoneNumbers, since)) ? null : body;
  }

  /** What is recorded stays as it was taken first, also that there was nothing. */
  async function content({ fact, event, body, destinations }: Taken): Promise<StoredContent> {
    const id = publicEventId(fact.id, event);
    if (!destinations.recording) return { id, event, body, newSince: null };
    const { companyId, occurredAt } = fact;
    return deps.eventLog.store({
      id,
      companyId,
      event,
      body,
      occurredAt,
      subject: subjectOf(fact),
      recordedAt: deps.clock.now(),
    });
  }

  async function append(taken: readonly Taken[], contents: readonly StoredContent[]): Promise<void> {
    const log = taken.find(({ destinations }) => destinations.recording)?.destinations.recording;
    if (!log) return;
    const isRecorded = ({ destinations }: Taken) => destinations.recording !== undefined;
    const events = contents.filter(({ body }, index) => body !== null && isRecorded(taken[index]!));
    if (events.length > 0) await deps.eventLog.append({ log, events });
  }

  /** The deliveries of an event, with the body that is recorded. */
  function plan({ fact, event, nth, destinations, body: taken }: Taken, body: string | null): Planned[] {
    if (taken === null || body === null) return [];
    return destinations.wanted.map(({ subscription, name }) => {
      const id = deliveryId(fact.id, event, subscription.id);
      const named = bodyNamed(name, { body, event });
      const given = {
        id,
        companyId: fact.companyId,
        subscriptionId: subscription.id,
        event: name,
        eventId: publicEventId(fact.id, event),
        sealedBody: deps.bodies.seal(named, id),
        createdAt: fact.occurredAt,
        traceparent: fact.traceparent ?? null,
        subject: subjectOf(fact),
        position: positionOf(fact.aggregateSequence, nth),
      };
      return { given, body: named, subscription };
    });
  }

  return {
    handlers: {
      types: payloads.map(({ fact }) => fact),
      batchPer: 'aggregate',
      handleBatch: (events) => deliverAll(events.map(({ event }) => event)),
    },
    relevant: (events) => Promise.all(events.map(async (fact) => (await withDestinations(fact)).length > 0)),
    toleratesReplay: ({ occurredAt }) => deps.clock.now().getTime() - occurredAt.getTime() < RECENT_MS,
  };
}

/** Aggregate and noun: events are numbered per noun, see the sequence in @parley/events. */
function subjectOf({ aggregateId, type }: Event): string {
  return `${aggregateId}:${nounOf(type)}`;
}
