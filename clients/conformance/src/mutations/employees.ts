import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeBody, changeField, changeSent, statusInstead, withoutField } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/employees' };
const CREATE = { method: 'POST', path: '/api/v1/employees' };
const GET = { method: 'GET', path: '/api/v1/employees/:id' };
const UPDATE = { method: 'PATCH', path: '/api/v1/employees/:id' };
const DELETE = { method: 'DELETE', path: '/api/v1/employees/:id' };
const API = { areas: ['employees'], profile: 'api' } as const;
const FULL = { areas: ['employees'], profile: 'full' } as const;

export const employeeMutations: readonly Mutation[] = [
  {
    id: 'employees-created-with-200',
    sentence: 'A new employee is answered with 200 instead of 201.',
    ...API,
    where: CREATE,
    answer: statusInstead(201, 200),
  },
  {
    id: 'employees-not-invited',
    sentence: 'A new employee has signed in already.',
    ...API,
    where: CREATE,
    answer: changeField('invitation_pending', () => false),
  },
  {
    id: 'employees-bare-list',
    sentence: 'The list of employees is a bare array.',
    ...API,
    where: LIST,
    answer: changeBody(({ employees }) => employees),
  },
  {
    id: 'employees-without-presence',
    sentence: 'Employees have no `do_not_disturb_expires_at`.',
    ...API,
    where: LIST,
    answer: withoutField('do_not_disturb_expires_at'),
  },
  {
    id: 'employees-duplicate-accepted',
    sentence: 'A second employee with the same address is accepted.',
    ...API,
    where: CREATE,
    answer: acceptedInstead(422, 201, ({ body }) => ({ id: 'emp_00000000000000000000', ...(body as object) })),
  },
  {
    id: 'employees-phone-not-cleared',
    sentence: 'Null does not clear the phone number of an employee.',
    ...API,
    where: UPDATE,
    request: changeSent('phone', (phone) => phone ?? undefined),
  },
  {
    id: 'employees-password-shown',
    sentence: 'An employee shows the digest of a password.',
    ...API,
    where: CREATE,
    answer: changeBody((body) => ({ ...body, password_hash: '$argon2id$v=19$' })),
  },
  {
    id: 'employees-call-target-removed',
    sentence: 'An employee whom a business number calls is removed.',
    ...FULL,
    where: DELETE,
    answer: (answer) => (answer.status === 409 ? { ...answer, status: 204, body: '' } : answer),
  },
  {
    id: 'employees-in-use-unnamed',
    sentence: 'The business numbers that hold an employee back are not named.',
    ...FULL,
    where: DELETE,
    answer: (answer) =>
      answer.status === 409 ? { ...answer, body: { ...(answer.body as object), main_numbers: [] } } : answer,
  },
  {
    id: 'employees-busy-shown-as-do-not-disturb',
    sentence: 'Do-not-disturb comes before a call in the status.',
    ...FULL,
    where: { method: 'PUT', path: '/api/v1/employees/:id/do_not_disturb' },
    answer: changeField('status', (status, { do_not_disturb: on }) => (on ? 'do_not_disturb' : status)),
  },
  {
    id: 'employees-always-pending',
    sentence: 'An invitation never ends.',
    ...FULL,
    where: GET,
    answer: changeField('invitation_pending', () => true),
  },
];
