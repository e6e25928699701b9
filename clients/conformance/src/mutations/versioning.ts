import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeBody, changeSent } from './ways.ts';

const API = { areas: ['versioning'], profile: 'api' } as const;
const FULL = { areas: ['versioning'], profile: 'full' } as const;

export const versioningMutations: readonly Mutation[] = [
  {
    id: 'versioning-list-renamed',
    sentence: 'Business numbers are listed under `business_numbers`.',
    ...API,
    where: { method: 'GET', path: '/api/v1/business_numbers' },
    answer: changeBody(({ main_numbers: numbers }) => ({ business_numbers: numbers })),
  },
  {
    id: 'versioning-former-names',
    sentence: 'A business number has its schedule under the former name too.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/business_numbers/:id' },
    answer: changeBody((body) => ({ ...body, opening_hours: body.business_hours })),
  },
  {
    id: 'versioning-event-renamed',
    sentence: 'The former name of an event is replaced by the current one.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/webhooks' },
    request: changeSent('events', (events) =>
      (events as string[]).map((event) => event.replace('outside_opening_hours', 'outside_business_hours')),
    ),
  },
  {
    id: 'versioning-alias-unsigned',
    sentence: 'The former path of incoming texts takes them without a signature.',
    ...API,
    where: { method: 'POST', path: '/webhooks/telnyx/sms' },
    answer: acceptedInstead(401, 200, () => ({})),
  },
  {
    id: 'versioning-unseen-removed',
    sentence: '`/activity/unseen` has no counts of numbers.',
    ...API,
    where: { method: 'GET', path: '/api/v1/activity/unseen' },
    answer: changeBody(({ unseen_count: count }) => ({ unseen_count: count })),
  },
];
