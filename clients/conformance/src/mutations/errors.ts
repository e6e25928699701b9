import type { Mutation } from './mutation.ts';
import { acceptedInstead, json, statusInstead, withHeader } from './ways.ts';

const CREATE = { method: 'POST', path: '/api/v1/contacts' };
const API = { areas: ['errors'], profile: 'api' } as const;

export const errorMutations: readonly Mutation[] = [
  {
    id: 'errors-malformed-with-422',
    sentence: 'Malformed JSON is answered with 422.',
    ...API,
    where: CREATE,
    answer: statusInstead(400, 422),
  },
  {
    id: 'errors-large-body-accepted',
    sentence: 'A body of more than 1 MiB is accepted.',
    ...API,
    where: CREATE,
    answer: acceptedInstead(413, 201, () => ({ id: 'con_00000000000000000000' })),
  },
  {
    id: 'errors-without-allow',
    sentence: 'A method that a path does not have is answered without `Allow`.',
    ...API,
    where: { method: 'DELETE', path: '/api/v1/contacts' },
    answer: withHeader('allow', undefined),
  },
  {
    id: 'errors-as-text',
    sentence: 'What is not found is answered as text.',
    ...API,
    where: { method: 'GET', path: '/api/v1/nothing' },
    answer: (answer) =>
      answer.status === 404 ? { ...answer, headers: { 'content-type': 'text/plain' }, body: 'Not found' } : answer,
  },
  {
    id: 'errors-one-request-id',
    sentence: 'All requests have the same id.',
    ...API,
    where: { method: 'GET', path: '/api/v1/company' },
    answer: withHeader('x-request-id', 'req_1'),
  },
  {
    id: 'errors-fields-unnamed',
    sentence: 'Refused fields are not named.',
    ...API,
    where: CREATE,
    answer: (answer) =>
      answer.status === 422 ? json(422, { error: 'The contact is not valid', code: 'validation_failed' }) : answer,
  },
  {
    id: 'errors-path-of-field-without-index',
    sentence: 'A field inside a list is named without its place.',
    areas: ['errors'],
    profile: 'full',
    where: { method: 'PUT', path: '/api/v1/business_numbers/:id/incoming_call_config' },
    answer: (answer) =>
      answer.status === 422 ? json(422, JSON.parse(JSON.stringify(answer.body).replace(/\[\d+\]/g, ''))) : answer,
  },
  {
    id: 'errors-stack-shown',
    sentence: 'A refusal shows where in the program it came up.',
    ...API,
    where: CREATE,
    answer: (answer) =>
      answer.status === 422
        ? {
            ...answer,
            body: { ...(answer.body as object), stack: 'Error: no phone\n    at create (/app/contacts.js:17:3)' },
          }
        : answer,
  },
];
