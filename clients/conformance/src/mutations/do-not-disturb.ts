import type { Mutation } from './mutation.ts';
import { changeField, changeSent, statusInstead } from './ways.ts';

const GET = { method: 'GET', path: '/api/v1/employees/:id/do_not_disturb' };
const PUT = { method: 'PUT', path: '/api/v1/employees/:id/do_not_disturb' };
const API = { areas: ['do-not-disturb'], profile: 'api' } as const;
const FULL = { areas: ['do-not-disturb'], profile: 'full' } as const;

export const doNotDisturbMutations: readonly Mutation[] = [
  {
    id: 'do-not-disturb-past-accepted',
    sentence: 'An end in the past is ignored instead of refused.',
    ...API,
    where: PUT,
    request: changeSent('expires_at', (end) => (Date.parse(String(end)) < Date.now() ? undefined : end)),
  },
  {
    id: 'do-not-disturb-end-forgotten',
    sentence: 'The end is not kept.',
    ...API,
    where: GET,
    answer: changeField('expires_at', () => null),
  },
  {
    id: 'do-not-disturb-end-checked-when-off',
    sentence: 'An end in the past is refused when do-not-disturb is switched off.',
    ...API,
    where: PUT,
    request: changeSent('enabled', (enabled, { expires_at: end }) =>
      enabled === false && Date.parse(end) < Date.now() ? true : enabled,
    ),
  },
  {
    id: 'do-not-disturb-enabled-by-default',
    sentence: 'Without `enabled` it is switched on.',
    ...API,
    where: PUT,
    request: (request) =>
      (request.body as { enabled?: unknown })?.enabled === undefined
        ? { ...request, body: { ...(request.body as object), enabled: true } }
        : request,
  },
  {
    id: 'do-not-disturb-made-with-201',
    sentence: 'A change is answered with 201.',
    ...API,
    where: PUT,
    answer: statusInstead(200, 201),
  },
  {
    id: 'do-not-disturb-nothing-at-risk',
    sentence: 'No business number is ever at risk.',
    ...FULL,
    where: GET,
    answer: changeField('at_risk_main_numbers', () => []),
  },
  {
    id: 'do-not-disturb-never-ends',
    sentence: 'It does not end at its time.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/employees/:id' },
    answer: changeField('do_not_disturb', () => true),
  },
];
