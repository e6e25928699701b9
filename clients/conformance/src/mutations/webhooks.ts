import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeBody, seenInstead, statusInstead, withoutField } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/webhooks' };
const CREATE = { method: 'POST', path: '/api/v1/webhooks' };
const GET = { method: 'GET', path: '/api/v1/webhooks/:id' };
const UPDATE = { method: 'PATCH', path: '/api/v1/webhooks/:id' };
const API = { areas: ['webhooks'], profile: 'api' } as const;
const FULL = { areas: ['webhooks'], profile: 'full' } as const;

export const webhookMutations: readonly Mutation[] = [
  {
    id: 'webhooks-created-with-200',
    sentence: 'A new webhook is answered with 200 instead of 201.',
    ...API,
    where: CREATE,
    answer: statusInstead(201, 200),
  },
  {
    id: 'webhooks-secret-shown-again',
    sentence: 'The secret of a webhook is shown whenever it is read.',
    ...API,
    where: GET,
    answer: changeBody((body) => ({ ...body, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })),
  },
  {
    id: 'webhooks-secret-kept',
    sentence: 'A rotation gives the secret of before.',
    ...API,
    where: { method: 'POST', path: '/api/v1/webhooks/:id/rotate_secret' },
    answer: changeBody((body, { seen }) => ({ ...body, secret: (seen('POST /api/v1/webhooks')?.body as any)?.secret })),
  },
  {
    id: 'webhooks-inner-addresses-accepted',
    sentence: 'A webhook with an address inside of a network is accepted.',
    ...API,
    where: CREATE,
    answer: acceptedInstead(422, 201, ({ body }) => ({ id: 'whk_00000000000000000000', ...(body as object) })),
  },
  {
    id: 'webhooks-unknown-events-accepted',
    sentence: 'A change to an event type that nobody knows is accepted.',
    ...API,
    where: UPDATE,
    answer: acceptedInstead(422, 200, ({ body }) => body),
  },
  {
    id: 'webhooks-events-added',
    sentence: 'New events of a webhook are added to those that it had.',
    ...API,
    where: UPDATE,
    answer: changeBody((body) => ({ ...body, events: [...body.events, 'contact.created'] })),
  },
  {
    id: 'webhooks-foreign-shown',
    sentence: "Another company's webhook is shown.",
    ...FULL,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
  {
    id: 'webhooks-members-read',
    sentence: 'A member reads the list of webhooks.',
    ...FULL,
    where: LIST,
    answer: acceptedInstead(403, 200, () => []),
  },
  {
    id: 'webhooks-list-without-active',
    sentence: 'Webhooks in the list do not say whether they are active.',
    ...API,
    where: LIST,
    answer: withoutField('active'),
  },
];
