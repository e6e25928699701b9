import type { Mutation } from './mutation.ts';
import { seenInstead, statusInstead, withHeader } from './ways.ts';

const COMPANY = { method: 'GET', path: '/api/v1/company' };
const API = { areas: ['authentication'], profile: 'api' } as const;

export const authenticationMutations: readonly Mutation[] = [
  {
    id: 'authentication-unknown-key-accepted',
    sentence: 'A key that is refused sees what another one saw before.',
    ...API,
    where: COMPANY,
    answer: seenInstead(401, 200, ({ request }) => `GET ${request.path}`),
  },
  {
    id: 'authentication-without-challenge',
    sentence: 'Refused requests have no `WWW-Authenticate`.',
    ...API,
    where: COMPANY,
    answer: withHeader('www-authenticate', undefined),
  },
  {
    id: 'authentication-key-before-token',
    sentence: 'Where a key and a token are sent, the key counts.',
    ...API,
    where: COMPANY,
    request: (request) => {
      const { authorization: _, ...headers } = request.headers;
      return request.headers['x-api-key'] === undefined ? request : { ...request, headers };
    },
  },
  {
    id: 'authentication-refused-with-403',
    sentence: 'A request without a credential is answered with 403.',
    ...API,
    where: { method: 'GET', path: '/api/v1/voicemails/:id' },
    answer: statusInstead(401, 403),
  },
];
