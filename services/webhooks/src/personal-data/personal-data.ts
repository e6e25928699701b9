import {
  type Erase,
  type ErasedPeople,
  erasureOf,
  type ErasureStep,
  eventSteps,
  type ExportedFile,
  type ExportPerson,
  isPastRetention,
  jsonFile,
  jsonMentions,
  mentionsNumber,
  type Person,
  type RetentionCutoffs,
  type RetentionStep,
} from '@parley/personal-data';
import type { Db } from 'mongodb';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Deliveries, DeliveryBodies } from '../deliveries/delivery-store.ts';
import type { EventLogStore } from '../event-log/event-log-store.ts';
import type { LoggedEvent } from '../event-log/logged-event.ts';
import { bodyPeople } from './body-people.ts';

interface BodyStores {
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
  readonly eventLog: Pick<EventLogStore, 'ofCompany' | 'open' | 'empty'>;
}

/** Deliveries and events that are read at a time. */
const PORTION = 200;
/** Recognises a body that contains a transcript, a summary or a message that an assistant took. */
const WORDS = /"(?:summary|transcription)":"|"message":\{/;

/** Deliveries about a person, sent or not, and events of the log: of the last 30 days, because older ones have expired. */
export function erasePerson(deps: BodyStores & { readonly db: Db; readonly erased: ErasedPeople }): Erase {
  const { db, erased, deliveries, bodies, eventLog } = deps;
  const ofDeliveries: ErasureStep = {
    name: 'deliveries',
    erase: ({ companyId, phoneNumber, before }, after) =>
      removePortion(deliveries, companyId, after, ({ id, event, sealedBody, attempts, createdAt }) => {
        const body = bodies.open(sealedBody, id);
        const answers = attempts.map(({ responseExcerpt }) => responseExcerpt ?? '').join(' ');
        const isNew = bodyPeople(event, body, createdAt).since > before;
        return !isNew && (jsonMentions(body, phoneNumber) || mentionsNumber(Buffer.from(answers), phoneNumber));
      }),
  };
  const ofLog: ErasureStep = {
    name: 'logged_events',
    erase: ({ companyId, phoneNumber, before }, after) =>
      emptyPortion(eventLog, companyId, after, ({ event, occurredAt }, bodyOf) => {
        const body = bodyOf();
        return bodyPeople(event, body, occurredAt).since <= before && jsonMentions(body, phoneNumber);
      }),
  };
  // The source of the body is removed by then, or is new.
  const events = eventSteps({ db, keeps: async () => true });
  return erasureOf([
    erased.step,
    ofDeliveries,
    ofLog,
    ...events,
    { ...ofLog, name: 'logged_events_again' },
    { ...ofDeliveries, name: 'deliveries_again' },
  ]);
}

/** Deliveries and events about what a company does not keep any longer, sent or not. */
export function retentionSteps({ deliveries, bodies, eventLog }: BodyStores): RetentionStep[] {
  return [
    {
      name: 'deliveries',
      erase: ({ companyId, cutoffs }, after) =>
        removePortion(deliveries, companyId, after, (delivery) =>
          isExpired(delivery, () => bodies.open(delivery.sealedBody, delivery.id), cutoffs),
        ),
    },
    {
      name: 'logged_events',
      erase: ({ companyId, cutoffs }, after) =>
        emptyPortion(eventLog, companyId, after, ({ subject, event, occurredAt }, bodyOf) =>
          isExpired({ subject, event, createdAt: occurredAt }, bodyOf, cutoffs),
        ),
    },
  ];
}

/** Removes the content of events; their places stay. */
async function emptyPortion(
  eventLog: BodyStores['eventLog'],
  companyId: string,
  after: string,
  isRemoved: (event: LoggedEvent, bodyOf: () => string) => boolean,
) {
  const page = await eventLog.ofCompany(companyId, after, PORTION);
  const found = page.filter((event) => event.sealedBody !== null && isRemoved(event, () => eventLog.open(event)!));
  await eventLog.empty(found.map(({ id }) => id));
  return { removed: found.length, next: page.length < PORTION ? undefined : page.at(-1)?.id };
}

async function removePortion(
  deliveries: Deliveries,
  companyId: string,
  after: string,
  isRemoved: (delivery: Delivery) => boolean,
) {
  const page = await deliveries.ofCompany(companyId, after, PORTION);
  const found = page.filter(isRemoved);
  for (const { id } of found) await deliveries.remove(id);
  return { removed: found.length, next: page.length < PORTION ? undefined : page.at(-1)?.id };
}

type Kept = Pick<Delivery, 'subject' | 'event' | 'createdAt'>;

/** `bodyOf` is asked for those of calls, voicemails and texts only. A thread has calls and texts. */
export function isExpired(
  { subject, event, createdAt }: Kept,
  bodyOf: () => string,
  cutoffs: RetentionCutoffs,
): boolean {
  const noun = subject?.split(':').at(-1);
  const since = (body: string) => bodyPeople(event, body, createdAt).since;
  switch (noun) {
    // Of a session with an assistant: its body has the call.
    case 'session':
    case 'call': {
      const body = bodyOf();
      const began = since(body);
      return (
        isPastRetention(cutoffs, 'calls', began) || (WORDS.test(body) && isPastRetention(cutoffs, 'transcripts', began))
      );
    }
    case 'voicemail':
      return isPastRetention(cutoffs, 'voicemails', since(bodyOf()));
    case 'message':
      return isPastRetention(cutoffs, 'messages', since(bodyOf()));
    case 'thread':
      return isPastRetention(cutoffs, 'messages', createdAt) && isPastRetention(cutoffs, 'calls', createdAt);
    default:
      return false;
  }
}

/** Exports what was sent about a person to the company's own systems, and what these can still read. */
export function exportPerson(deps: BodyStores): ExportPerson {
  return async function* (person): AsyncGenerator<ExportedFile> {
    yield jsonFile('webhook_deliveries.json', deliveriesOf(deps, person));
    yield jsonFile('events.json', eventsOf(deps, person));
  };
}

async function* eventsOf({ eventLog }: BodyStores, { companyId, phoneNumber }: Person) {
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = await eventLog.ofCompany(companyId, after, PORTION);
    for (const event of page) {
      const body = eventLog.open(event);
      if (body === null || !jsonMentions(body, phoneNumber)) continue;
      yield { id: event.id, ...(JSON.parse(body) as object) };
    }
    after = page.length < PORTION ? undefined : page.at(-1)?.id;
  }
}

async function* deliveriesOf({ deliveries, bodies }: BodyStores, { companyId, phoneNumber }: Person) {
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = await deliveries.ofCompany(companyId, after, PORTION);
    for (const { id, subscriptionId, event, sealedBody, createdAt } of page) {
      const body = bodies.open(sealedBody, id);
      if (!jsonMentions(body, phoneNumber)) continue;
      yield { id, webhook_id: subscriptionId, event, created_at: createdAt, body: JSON.parse(body) as unknown };
    }
    after = page.length < PORTION ? undefined : page.at(-1)?.id;
  }
}
