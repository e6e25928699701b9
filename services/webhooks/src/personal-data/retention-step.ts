import { isPastRetention, type RetentionCutoffs, type RetentionStep } from '@parley/personal-data';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Deliveries, DeliveryBodies } from '../deliveries/delivery-store.ts';
import { bodyPeople } from './body-people.ts';

/** Deliveries that one portion reads. */
const PORTION = 200;
/** Recognises a body that contains a transcript or a summary. */
const WORDS = /"(?:summary|transcription)":"/;

/** Deliveries about what a company does not keep any longer, sent or not. */
export function retentionStep(deps: { deliveries: Deliveries; bodies: DeliveryBodies }): RetentionStep {
  const { deliveries, bodies } = deps;
  return {
    name: 'deliveries',
    async erase({ companyId, cutoffs }, after) {
      const page = await deliveries.ofCompany(companyId, after, PORTION);
      const expired = page.filter((delivery) =>
        isExpired(delivery, () => bodies.open(delivery.sealedBody, delivery.id), cutoffs),
      );
      for (const { id } of expired) await deliveries.remove(id);
      return { removed: expired.length, next: page.length < PORTION ? undefined : page.at(-1)?.id };
    },
  };
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
