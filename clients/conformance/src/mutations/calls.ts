import type { Mutation } from './mutation.ts';
import { changeBody, changeField, reversed, seenInstead, statusInstead, withoutParameter } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/calls' };
const GET = { method: 'GET', path: '/api/v1/calls/:id' };
const ACTIVE = { method: 'GET', path: '/api/v1/calls/active' };
const FULL = { areas: ['calls'], profile: 'full' } as const;

export const callMutations: readonly Mutation[] = [
  {
    id: 'calls-oldest-first',
    sentence: 'The list of calls begins with the oldest one.',
    ...FULL,
    where: LIST,
    answer: reversed('calls'),
  },
  {
    id: 'calls-number-ignored',
    sentence: 'The number of the other side is ignored in the list of calls.',
    ...FULL,
    where: LIST,
    request: withoutParameter('phone_number'),
  },
  {
    id: 'calls-direction-ignored',
    sentence: 'The direction is ignored in the list of calls.',
    ...FULL,
    where: LIST,
    request: withoutParameter('direction'),
  },
  {
    id: 'calls-limit-ignored',
    sentence: 'The limit of the list of calls is ignored.',
    ...FULL,
    where: LIST,
    request: withoutParameter('limit'),
  },
  {
    id: 'calls-unanswered-with-duration',
    sentence: 'A call that nobody answered lasted 0 seconds.',
    ...FULL,
    where: GET,
    answer: changeField('duration', (duration) => duration ?? 0),
  },
  {
    id: 'calls-answered-while-waiting',
    sentence: 'A caller who waits is answered, since the line of the carrier is.',
    areas: ['calls', 'routing'],
    profile: 'full',
    where: GET,
    answer: changeField('answered_at', (time, { started_at: startedAt }) => time ?? startedAt),
  },
  {
    id: 'calls-inbound-initiated-by-nobody',
    sentence: 'An inbound call has `initiated_by`.',
    ...FULL,
    where: GET,
    answer: changeBody((body) => ({ initiated_by: null, ...body })),
  },
  {
    id: 'calls-foreign-shown',
    sentence: "Another company's call is shown.",
    ...FULL,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
  {
    id: 'calls-idle-with-200',
    sentence: 'Who has no call is answered with 200.',
    ...FULL,
    where: ACTIVE,
    answer: statusInstead(204, 200),
  },
  {
    id: 'calls-quiet-coworkers-available',
    sentence: 'A coworker on do-not-disturb is offered for a transfer.',
    ...FULL,
    where: ACTIVE,
    answer: changeField('available_employees', (_, { employees }) => employees),
  },
];
