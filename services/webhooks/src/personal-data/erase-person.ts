import {
  type Erase,
  type ErasedPeople,
  erasureOf,
  type ErasureStep,
  eventSteps,
  jsonMentions,
  mentionsNumber,
} from '@parley/personal-data';
import type { Db } from 'mongodb';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Deliveries, DeliveryBodies } from '../deliveries/delivery-store.ts';
import { bodyPeople } from './body-people.ts';

export interface ErasePersonDeps {
  readonly db: Db;
  readonly erased: ErasedPeople;
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
}

/** Deliveries that one portion reads. */
const PORTION = 200;

/** Deliveries about a person, sent or not: of the last 30 days, because older ones have expired. */
export function erasePerson({ db, erased, deliveries, bodies }: ErasePersonDeps): Erase {
  const step: ErasureStep = {
    name: 'deliveries',
    async erase({ companyId, phoneNumber, before }, after) {
      const page = await deliveries.ofCompany(companyId, after, PORTION);
      const mentions = ({ id, event, sealedBody, attempts, createdAt }: Delivery) => {
        const body = bodies.open(sealedBody, id);
        const answers = attempts.map(({ responseExcerpt }) => responseExcerpt ?? '').join(' ');
        const isNew = bodyPeople(event, body, createdAt).since > before;
        return !isNew && (jsonMentions(body, phoneNumber) || mentionsNumber(Buffer.from(answers), phoneNumber));
      };
      const found = page.filter(mentions);
      for (const { id } of found) await deliveries.remove(id);
      return { removed: found.length, next: page.length < PORTION ? undefined : page.at(-1)?.id };
    },
  };
  // The source of the body is removed by then, or is new.
  const events = eventSteps({ db, keeps: async () => true });
  return erasureOf([erased.step, step, ...events, { ...step, name: 'deliveries_again' }]);
}
