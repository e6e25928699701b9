import type { Mutation } from './mutation.ts';
import {
  acceptedInstead,
  changeBody,
  changeField,
  changeSent,
  reversed,
  seenInstead,
  statusInstead,
  withoutField,
  withoutParameter,
} from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/contacts' };
const CREATE = { method: 'POST', path: '/api/v1/contacts' };
const GET = { method: 'GET', path: '/api/v1/contacts/:id' };
const UPDATE = { method: 'PATCH', path: '/api/v1/contacts/:id' };
const API = { areas: ['contacts'], profile: 'api' } as const;
const FULL = { areas: ['contacts'], profile: 'full' } as const;

const NOTE_CHARACTERS_MAX = 10_000;

export const contactMutations: readonly Mutation[] = [
  {
    id: 'contacts-created-with-200',
    sentence: 'A new contact is answered with 200 instead of 201.',
    ...API,
    where: CREATE,
    answer: statusInstead(201, 200),
  },
  {
    id: 'contacts-oldest-first',
    sentence: 'The list of contacts begins with the oldest one.',
    ...API,
    where: LIST,
    answer: reversed(),
  },
  {
    id: 'contacts-without-phone-formatted',
    sentence: 'Contacts have no `phone_formatted`.',
    ...API,
    where: GET,
    answer: withoutField('phone_formatted'),
  },
  {
    id: 'contacts-phone-ignored',
    sentence: 'The parameter `phone` of the list of contacts is ignored.',
    ...API,
    where: LIST,
    request: withoutParameter('phone'),
  },
  {
    id: 'contacts-foreign-shown',
    sentence: "Another company's contact is shown.",
    ...FULL,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
  {
    id: 'contacts-long-note-cut',
    sentence: 'A note that is too long is cut instead of refused.',
    ...API,
    where: CREATE,
    request: changeSent('note', (note) => (typeof note === 'string' ? note.slice(0, NOTE_CHARACTERS_MAX) : note)),
  },
  {
    id: 'contacts-wrong-email-dropped',
    sentence: 'An e-mail address that is none is left out instead of refused.',
    ...API,
    where: CREATE,
    request: changeSent('email', (email) => (String(email).includes('@') ? email : undefined)),
  },
  {
    id: 'contacts-duplicate-accepted',
    sentence: 'A second contact with the same number is accepted.',
    ...API,
    where: CREATE,
    answer: acceptedInstead(422, 201, ({ body }) => ({ id: 'con_00000000000000000000', ...(body as object) })),
  },
  {
    id: 'contacts-change-not-dated',
    sentence: 'A change of a contact leaves `updated_at` as it was.',
    ...API,
    where: UPDATE,
    answer: changeField('updated_at', (_, { created_at }) => created_at),
  },
  {
    id: 'contacts-change-forgets',
    sentence: 'A change of a contact clears what it leaves out.',
    ...API,
    where: UPDATE,
    answer: changeBody((body, { request }) => ({ ...body, name: null, note: null, ...(request.body as object) })),
  },
  {
    id: 'contacts-times-in-seconds',
    sentence: 'Times of contacts have no milliseconds.',
    ...API,
    where: CREATE,
    answer: changeField('created_at', (time: string) => time.replace(/\.\d+Z$/, 'Z')),
  },
];
