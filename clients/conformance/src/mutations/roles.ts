import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeField, changeSent, json } from './ways.ts';

const CREATE = { method: 'POST', path: '/api/v1/employees' };
const UPDATE = { method: 'PATCH', path: '/api/v1/employees/:id' };
const API = { areas: ['roles'], profile: 'api' } as const;
const FULL = { areas: ['roles'], profile: 'full' } as const;

export const roleMutations: readonly Mutation[] = [
  {
    id: 'roles-admin-by-default',
    sentence: 'A new employee is an admin.',
    ...API,
    where: CREATE,
    answer: changeField('role', (role) => (role === 'member' ? 'admin' : role)),
  },
  {
    id: 'roles-unknown-accepted',
    sentence: 'A role that there is not is taken for a member.',
    ...API,
    where: CREATE,
    request: changeSent('role', (role) => (role === 'boss' ? 'member' : role)),
  },
  {
    id: 'roles-member-reads-webhooks',
    sentence: 'A member reads webhooks.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/webhooks' },
    answer: acceptedInstead(403, 200, () => []),
  },
  {
    id: 'roles-existence-shown',
    sentence: 'A member is told which ids of webhooks are unknown.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/webhooks/:id/test' },
    answer: (answer, { request }) =>
      answer.status === 403 && request.path.length < 40 ? json(404, { error: 'not_found' }) : answer,
  },
  {
    id: 'roles-last-owner-demoted',
    sentence: 'The last owner is demoted.',
    ...FULL,
    where: UPDATE,
    answer: acceptedInstead(409, 200, ({ body }) => body),
  },
  {
    id: 'roles-admin-makes-owners',
    sentence: 'An admin makes somebody owner.',
    ...FULL,
    where: UPDATE,
    answer: (answer, { request }) =>
      answer.status === 403 && (request.body as { role?: string })?.role === 'owner' ? json(200, request.body) : answer,
  },
  {
    id: 'roles-refused-without-code',
    sentence: 'The refusal of a member has no code.',
    ...FULL,
    where: { method: 'PATCH', path: '/api/v1/company' },
    answer: (answer) => (answer.status === 403 ? json(403, { error: 'forbidden' }) : answer),
  },
];
