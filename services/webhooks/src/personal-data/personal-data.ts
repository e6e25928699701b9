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
import { bodyPeople } from './body-people.ts';

interface DeliveryStores {
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
}

/** Deliveries that are read at a time. */
const PORTION = 200;
/** Recognises a body that contains a transcript, a summary or a message that an assistant took. */
const WORDS = /"(?:summary|transcription)":"|"message":\{/;

/** Deliveries about a person, sent or not: of the last 30 days, because older ones have expired. */
export function erasePerson(deps: DeliveryStores & { readonly db: Db; readonly erased: ErasedPeople }): Erase {
  const { db, erased, deliveries, bodies } = deps;
  const step: ErasureStep = {
    name: 'deliveries',
    erase: ({ companyId, phoneNumber, before }, after) =>
      removePortion(deliveries, companyId, after, ({ id, event, sealedBody, attempts, createdAt }) => {
        const body = bodies.open(sealedBody, id);
        const answers = attempts.map(({ responseExcerpt }) => responseExcerpt ?? '').join(' ');
        const isNew = bodyPeople(event, body, createdAt).since > before;
        return !isNew && (jsonMentions(body, phoneNumber) || mentionsNumber(Buffer.from(answers), phoneNumber));
      }),
  };
  // The source of the body is removed by then, or is new.
  const events = eventSteps({ db, keeps: async () => true });
  return erasureOf([erased.step, step, ...events, { ...step, name: 'deliveries_again' }]);
}

/** Deliveries about what a company does not keep any longer, sent or not. */
export function retentionStep({ deliveries, bodies }: DeliveryStores): RetentionStep {
  return {
    name: 'deliveries',
    erase: ({ companyId, cutoffs }, after) =>
      removePortion(deliveries, companyId, after, (delivery) =>
        isExpired(delivery, () => bodies.open(delivery.sealedBody, delivery.id), cutoffs),
      ),
  };
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

/** Exports what was sent about a person to the company's own systems. */
export function exportPerson(deps: DeliveryStores): ExportPerson {
  return async function* (person): AsyncGenerator<ExportedFile> {
    yield jsonFile('webhook_deliveries.json', deliveriesOf(deps, person));
  };
}

async function* deliveriesOf({ deliveries, bodies }: DeliveryStores, { companyId, phoneNumber }: Person) {
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
