import type { Mutation } from './mutation.ts';
import { changeBody, changeField, changeSent, seenInstead, statusInstead } from './ways.ts';

const FULL = { areas: ['privacy'], profile: 'full' } as const;
const ERASURE = { method: 'GET', path: '/api/v1/privacy/erasures/:id' };
const RETENTION = { method: 'PUT', path: '/api/v1/privacy/retention' };

export const privacyMutations: readonly Mutation[] = [
  {
    id: 'privacy-erasure-shows-number',
    sentence: 'A finished erasure shows the number.',
    ...FULL,
    where: ERASURE,
    answer: changeBody((body, { seen }) => ({
      ...body,
      phone_number: (seen('POST /api/v1/privacy/erasures')?.body as { phone_number?: string })?.phone_number,
    })),
  },
  {
    id: 'privacy-contact-left',
    sentence: 'An erasure leaves the contact.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/contacts/:id' },
    answer: seenInstead(404, 200, () => 'POST /api/v1/contacts'),
  },
  {
    id: 'privacy-calls-keep-numbers',
    sentence: 'An erasure leaves the number in calls.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/calls/:id' },
    answer: changeField('from', (from) => (from === 'erased' ? '+4520304050' : from)),
  },
  {
    id: 'privacy-erasure-removes-twice',
    sentence: 'A repeated erasure says that it has removed something.',
    ...FULL,
    where: ERASURE,
    answer: changeField('removed', (removed) => removed + 1),
  },
  {
    id: 'privacy-erasure-with-200',
    sentence: 'An erasure is answered with 200 instead of 202.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/privacy/erasures' },
    answer: statusInstead(202, 200),
  },
  {
    id: 'privacy-retention-too-long',
    sentence: 'More than 3,650 days are cut instead of refused.',
    ...FULL,
    where: RETENTION,
    request: changeSent('calls_days', (days) => (days === 3651 ? 3650 : days)),
  },
  {
    id: 'privacy-retention-partly',
    sentence: 'Retention of texts is not kept.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/privacy/retention' },
    answer: changeField('messages_days', () => null),
  },
  {
    id: 'privacy-deleted-company-answers',
    sentence: "A deleted company's key still works.",
    ...FULL,
    where: { method: 'GET', path: '/api/v1/company' },
    answer: (answer, { seen }) =>
      answer.status === 401 ? (seen('GET /api/v1/company') ?? { ...answer, status: 200 }) : answer,
  },
];
