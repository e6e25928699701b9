import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeField, changeSent, json, reversed, seenInstead, statusInstead } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/text_snippets' };
const CREATE = { method: 'POST', path: '/api/v1/text_snippets' };
const GET = { method: 'GET', path: '/api/v1/text_snippets/:id' };
const DELETE = { method: 'DELETE', path: '/api/v1/text_snippets/:id' };
const API = { areas: ['snippets'], profile: 'api' } as const;
const FULL = { areas: ['snippets'], profile: 'full' } as const;

export const snippetMutations: readonly Mutation[] = [
  {
    id: 'snippets-in-wrong-order',
    sentence: 'The list of snippets begins with the highest position.',
    ...FULL,
    where: LIST,
    answer: reversed(),
  },
  {
    id: 'snippets-position-one',
    sentence: 'A snippet without a position gets 1 instead of 0.',
    ...API,
    where: CREATE,
    answer: changeField('position', (position) => position || 1),
  },
  {
    id: 'snippets-blank-title-accepted',
    sentence: 'A snippet with a blank title is accepted.',
    ...API,
    where: CREATE,
    request: changeSent('title', (title) => (typeof title === 'string' && title.trim() === '' ? 'Title' : title)),
  },
  {
    id: 'snippets-listed-without-texting',
    sentence: 'Snippets are listed although the company may not text.',
    ...FULL,
    where: LIST,
    answer: acceptedInstead(404, 200, () => []),
  },
  {
    id: 'snippets-foreign-shown',
    sentence: "Another company's snippet is shown.",
    ...FULL,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
  {
    id: 'snippets-deleted-with-200',
    sentence: 'The deletion of a snippet is answered with 200 and a body.',
    ...API,
    where: DELETE,
    answer: (answer) => (answer.status === 204 ? json(200, {}) : answer),
  },
  {
    id: 'snippets-refused-with-400',
    sentence: 'A snippet that is refused is answered with 400 instead of 422.',
    ...API,
    where: CREATE,
    answer: statusInstead(422, 400),
  },
];
