import type { Mutation } from './mutation.ts';
import { changeBody, changeField, statusInstead } from './ways.ts';

const START = { method: 'POST', path: '/api/v1/calls/:call_id/transfers' };
const COMPLETE = { method: 'POST', path: '/api/v1/calls/:call_id/transfers/:id/completion' };
const CANCEL = { method: 'DELETE', path: '/api/v1/calls/:call_id/transfers/:id' };
const FULL = { areas: ['transfers'], profile: 'full' } as const;

export const transferMutations: readonly Mutation[] = [
  {
    id: 'transfers-started-with-200',
    sentence: 'A transfer that starts is answered with 200 instead of 201.',
    ...FULL,
    where: START,
    answer: statusInstead(201, 200),
  },
  {
    id: 'transfers-of-others-unknown',
    sentence: "A coworker's call behaves as unknown when a transfer starts.",
    ...FULL,
    where: START,
    answer: statusInstead(403, 404),
  },
  {
    id: 'transfers-missing-target-422',
    sentence: 'A transfer without a target is answered with 422.',
    ...FULL,
    where: START,
    answer: statusInstead(400, 422),
  },
  {
    id: 'transfers-employees-swapped',
    sentence: 'A transfer names the target as its controller.',
    ...FULL,
    where: START,
    answer: changeField('transfer', (transfer) => ({
      ...transfer,
      from_employee: transfer.to_employee,
      to_employee: transfer.from_employee,
    })),
  },
  {
    id: 'transfers-cancelled-as-failed',
    sentence: 'A transfer that was cancelled has failed.',
    ...FULL,
    where: CANCEL,
    answer: changeField('state', (state) => (state === 'cancelled' ? 'failed' : state)),
  },
  {
    id: 'transfers-refusals-without-transfer',
    sentence: 'The refusal of a completion does not have the transfer.',
    ...FULL,
    where: COMPLETE,
    answer: (answer) =>
      answer.status === 409 ? { ...answer, body: { ...(answer.body as object), transfer: undefined } } : answer,
  },
  {
    id: 'transfers-bridged-while-open',
    sentence: 'A call is bridged while its transfer is open.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/calls/:id' },
    answer: changeField('state', (state) => (state === 'answered' ? 'bridged' : state)),
  },
  {
    id: 'transfers-shown-when-closed',
    sentence: 'A transfer that is closed is shown with the call.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/calls/active' },
    answer: changeBody((body) => ({ ...body, transfer: body.transfer ?? { id: 'trf_1', state: 'cancelled' } })),
  },
];
