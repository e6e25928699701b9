import type { Mutation, SeenRequest } from './mutation.ts';
import { changeField, reversed, withoutParameter } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/audit_events' };
const FULL = { areas: ['audit'], profile: 'full' } as const;

/** `to` a millisecond later, so that its moment is included. */
function withTo(request: SeenRequest): SeenRequest {
  const to = request.query.get('to');
  if (to === null) return request;
  const query = new URLSearchParams(request.query);
  query.set('to', new Date(Date.parse(to) + 1).toISOString());
  return { ...request, query };
}

export const auditMutations: readonly Mutation[] = [
  {
    id: 'audit-oldest-first',
    sentence: 'The log begins with the oldest entry.',
    ...FULL,
    where: LIST,
    answer: reversed('audit_events'),
  },
  {
    id: 'audit-to-included',
    sentence: '`to` includes its moment.',
    ...FULL,
    where: LIST,
    request: withTo,
  },
  {
    id: 'audit-actor-ignored',
    sentence: 'The parameter `actor_id` is ignored.',
    ...FULL,
    where: LIST,
    request: withoutParameter('actor_id'),
  },
  {
    id: 'audit-without-changes',
    sentence: 'Entries do not say what has changed.',
    ...FULL,
    where: LIST,
    answer: changeField('changes', () => ({})),
  },
  {
    id: 'audit-everybody-employee',
    sentence: 'What the operator does is in the log as done by an employee.',
    ...FULL,
    where: LIST,
    answer: changeField('actor', (actor) => ({ ...actor, type: 'employee' })),
  },
  {
    id: 'audit-without-request',
    sentence: 'Entries do not say in which request it was.',
    ...FULL,
    where: LIST,
    answer: changeField('request_id', () => null),
  },
  {
    id: 'audit-cursor-ignored',
    sentence: 'Every page of the log is the first one.',
    ...FULL,
    where: LIST,
    request: withoutParameter('cursor'),
  },
  {
    id: 'audit-csv-unfiltered',
    sentence: 'The log as CSV is not filtered.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/audit_events.csv' },
    request: withoutParameter('object_id'),
  },
];
