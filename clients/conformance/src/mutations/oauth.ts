import type { Answer, Mutation, SeenRequest } from './mutation.ts';
import { acceptedInstead, changeBody, changeField, seenInstead, statusInstead } from './ways.ts';

const API = { areas: ['oauth'], profile: 'api' } as const;
const FULL = { areas: ['oauth'], profile: 'full' } as const;
const REGISTER = { method: 'POST', path: '/oauth/register' };
const AUTHORIZE = { method: '*', path: '/oauth/authorize' };
const TOKEN = { method: 'POST', path: '/oauth/token' };
const REDIRECT_URI = 'http://127.0.0.1:53682/callback';

/** A form, as the proxy sees it. */
const fieldsOf = ({ body }: SeenRequest) =>
  new URLSearchParams(body instanceof Uint8Array ? Buffer.from(body).toString() : '');

function withParameter(name: string, value: string): (request: SeenRequest) => SeenRequest {
  return (request) => {
    if (!request.query.has(name)) return request;
    const query = new URLSearchParams(request.query);
    query.set(name, value);
    return { ...request, query };
  };
}

function withoutInLocation(name: string): (answer: Answer) => Answer {
  return (answer) => {
    const { location } = answer.headers;
    if (typeof location !== 'string' || !location.startsWith('http')) return answer;
    const address = new URL(location);
    address.searchParams.delete(name);
    return { ...answer, headers: { ...answer.headers, location: address.href } };
  };
}

export const oauthMutations: readonly Mutation[] = [
  {
    id: 'oauth-client-secret',
    sentence: 'A client that registers itself gets a secret.',
    ...FULL,
    where: REGISTER,
    answer: changeBody((body) => ({ ...body, client_secret: 'secret' })),
  },
  {
    id: 'oauth-any-redirect-uri',
    sentence: 'A client may register every redirect URI.',
    ...API,
    where: REGISTER,
    answer: acceptedInstead(400, 201, ({ body }) => ({ client_id: 'app_1', ...(body as object) })),
  },
  {
    id: 'oauth-redirect-uri-not-compared',
    sentence: 'The redirect URI of a request is not compared.',
    ...FULL,
    where: AUTHORIZE,
    request: withParameter('redirect_uri', REDIRECT_URI),
  },
  {
    id: 'oauth-plain-challenge',
    sentence: 'The method `plain` is accepted.',
    ...FULL,
    where: AUTHORIZE,
    request: withParameter('code_challenge_method', 'S256'),
  },
  {
    id: 'oauth-without-issuer',
    sentence: 'Redirects have no `iss`.',
    ...FULL,
    where: AUTHORIZE,
    answer: withoutInLocation('iss'),
  },
  {
    id: 'oauth-without-state',
    sentence: 'Redirects have no `state`.',
    ...FULL,
    where: AUTHORIZE,
    answer: withoutInLocation('state'),
  },
  {
    id: 'oauth-code-counts-twice',
    sentence: 'What the token endpoint should refuse gets the tokens of the last one.',
    ...FULL,
    where: TOKEN,
    answer: seenInstead(400, 200, () => 'POST /oauth/token'),
  },
  {
    id: 'oauth-no-rotation',
    sentence: 'A refresh gives the refresh token that it was asked with.',
    ...FULL,
    where: TOKEN,
    answer: changeBody((body, { request }) => ({
      ...body,
      refresh_token: fieldsOf(request).get('refresh_token') ?? body.refresh_token,
    })),
  },
  {
    id: 'oauth-long-access',
    sentence: 'Access tokens are said to last two hours.',
    ...FULL,
    where: TOKEN,
    answer: changeField('expires_in', () => 7200),
  },
  {
    id: 'oauth-unknown-client-with-400',
    sentence: 'An unknown client is answered with 400 at the token endpoint.',
    ...FULL,
    where: TOKEN,
    answer: statusInstead(401, 400),
  },
  {
    id: 'oauth-revocation-refused',
    sentence: 'The revocation of an unknown token is refused.',
    ...API,
    where: { method: 'POST', path: '/oauth/revoke' },
    answer: (answer, { request }) =>
      fieldsOf(request).get('token') === 'unknown' ? { ...answer, status: 400, body: '' } : answer,
  },
  {
    id: 'oauth-revoked-token-works',
    sentence: 'A revoked token still works.',
    ...FULL,
    where: { method: 'GET', path: '/api/v1/company' },
    answer: seenInstead(401, 200, ({ request }) => `GET ${request.path}`),
  },
];
