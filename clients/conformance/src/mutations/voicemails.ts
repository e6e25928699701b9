import type { Mutation } from './mutation.ts';
import { changeBody, changeField, reversed, seenInstead, statusInstead } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/voicemails' };
const GET = { method: 'GET', path: '/api/v1/voicemails/:id' };
const UPDATE = { method: 'PATCH', path: '/api/v1/voicemails/:id' };
const FULL = { areas: ['voicemails'], profile: 'full' } as const;

export const voicemailMutations: readonly Mutation[] = [
  {
    id: 'voicemails-oldest-first',
    sentence: 'The list of voicemails begins with the oldest one.',
    ...FULL,
    where: LIST,
    answer: reversed('voicemails'),
  },
  {
    id: 'voicemails-all-counted',
    sentence: 'The count of the list is of all voicemails.',
    ...FULL,
    where: LIST,
    answer: changeBody((body) => ({ ...body, unlistened_count: body.voicemails.length })),
  },
  {
    id: 'voicemails-with-names-of-lists',
    sentence: 'A voicemail that is read has the names of numbers that the list has.',
    ...FULL,
    where: GET,
    answer: changeBody(({ main_number_number: number, main_number_number_formatted: formatted, ...body }) => ({
      ...body,
      main_number: number,
      main_number_formatted: formatted,
    })),
  },
  {
    id: 'voicemails-listened-again',
    sentence: 'Marking a voicemail again changes when it was listened to.',
    ...FULL,
    where: UPDATE,
    answer: changeField('listened_at', (time: string | null) =>
      time === null ? null : new Date(Date.parse(time) + 1000).toISOString(),
    ),
  },
  {
    id: 'voicemails-forms-refused',
    sentence: 'A form is not understood.',
    ...FULL,
    where: UPDATE,
    request: (request) => (typeof request.body === 'string' ? { ...request, body: '' } : request),
  },
  {
    id: 'voicemails-deleted-with-200',
    sentence: 'The deletion of a voicemail is answered with 200.',
    ...FULL,
    where: { method: 'DELETE', path: '/api/v1/voicemails/:id' },
    answer: statusInstead(204, 200),
  },
  {
    id: 'voicemails-foreign-shown',
    sentence: "Another company's voicemail is shown.",
    ...FULL,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
];
