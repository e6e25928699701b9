import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeField, changeSent, statusInstead, withoutField, withoutParameter } from './ways.ts';

const CLOSURES = '/api/v1/business_numbers/:id/closures';
const FULL = { areas: ['office'], profile: 'full' } as const;

export const officeMutations: readonly Mutation[] = [
  {
    id: 'office-closures-created-with-200',
    sentence: 'A new closure is answered with 200 instead of 201.',
    ...FULL,
    where: { method: 'POST', path: CLOSURES },
    answer: statusInstead(201, 200),
  },
  {
    id: 'office-closures-end-a-day-early',
    sentence: 'The last day of a closure is not kept.',
    ...FULL,
    where: { method: 'POST', path: CLOSURES },
    request: changeSent('to', (_, { from }) => from),
  },
  {
    id: 'office-closures-not-explained',
    sentence: 'The explanation of a route does not name the closure.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/business_numbers/:id/route_explanation' },
    answer: (answer) => ({ ...answer, body: { type: 'closed' } }),
  },
  {
    id: 'office-hours-without-breaks',
    sentence: 'Business hours do not have their breaks.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/business_numbers/:id' },
    answer: withoutField('breaks'),
  },
  {
    id: 'office-blind-transfers-warm',
    sentence: 'A blind transfer keeps the controller in the call.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/calls/:id/transfers' },
    request: changeSent('mode', () => 'warm'),
  },
  {
    id: 'office-tags-ignored',
    sentence: 'The tag is ignored in the list of calls.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/calls' },
    request: withoutParameter('tag'),
  },
  {
    id: 'office-every-destination-allowed',
    sentence: 'Premium-rate numbers are called.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/calls' },
    answer: acceptedInstead(403, 201, ({ body }) => ({ id: 'call_1', direction: 'outbound', ...(body as object) })),
  },
  {
    id: 'office-supervision-always-allowed',
    sentence: 'Calls are supervised although the company has not switched it on.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/calls/:id/supervision' },
    answer: acceptedInstead(403, 201, () => ({})),
  },
  {
    id: 'office-comments-reopen',
    sentence: 'A comment opens a thread that was done.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/inbox' },
    answer: changeField('state', () => 'open'),
  },
];
