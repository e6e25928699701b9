import type { Mutation } from './mutation.ts';
import { acceptedInstead, seenInstead, statusInstead } from './ways.ts';

const FULL = { areas: ['isolation'], profile: 'full' } as const;
const shown = seenInstead(404, 200, ({ request }) => `GET ${request.path}`);

export const isolationMutations: readonly Mutation[] = [
  {
    id: 'isolation-foreign-number-shown',
    sentence: "Another company's business number is shown.",
    ...FULL,
    where: { method: 'GET', path: '/api/v1/business_numbers/:id' },
    answer: shown,
  },
  {
    id: 'isolation-foreign-call-shown',
    sentence: "Another company's call is shown.",
    ...FULL,
    where: { method: 'GET', path: '/api/v1/calls/:id' },
    answer: shown,
  },
  {
    id: 'isolation-foreign-voicemail-forbidden',
    sentence: "Another company's voicemail is answered with 403, so that it is known to exist.",
    ...FULL,
    where: { method: 'GET', path: '/api/v1/voicemails/:id' },
    answer: statusInstead(404, 403),
  },
  {
    id: 'isolation-foreign-webhook-changed',
    sentence: "Another company's webhook can be paused.",
    ...FULL,
    where: { method: 'PATCH', path: '/api/v1/webhooks/:id' },
    answer: acceptedInstead(404, 200, ({ body }) => body),
  },
  {
    id: 'isolation-foreign-employee-routed',
    sentence: "A routing may name another company's employees.",
    ...FULL,
    where: { method: 'PUT', path: '/api/v1/business_numbers/:id/no_answer_config' },
    answer: acceptedInstead(422, 200, ({ body }) => ({ no_answer_config: body })),
  },
  {
    id: 'isolation-foreign-cursor-accepted',
    sentence: "Another company's cursor of the inbox is taken for the first page.",
    ...FULL,
    where: { method: 'GET', path: '/api/v1/inbox' },
    answer: acceptedInstead(422, 200, () => ({ threads: [], next_cursor: null })),
  },
  {
    id: 'isolation-company-from-request',
    sentence: 'A contact is made in the company that the request names.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/contacts/:id' },
    answer: seenInstead(404, 200, () => 'POST /api/v1/contacts'),
  },
  {
    id: 'isolation-foreign-event-shown',
    sentence: "Another company's event is shown.",
    ...FULL,
    where: { method: 'GET', path: '/api/v1/events/:id' },
    answer: acceptedInstead(404, 200, ({ path }) => ({ id: path.split('/').at(-1) })),
  },
];
