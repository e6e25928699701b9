import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { EmployeePrincipal } from '@parley/rpc';
import { authenticateWithSession } from './authenticate.ts';

const OWN = 'https://phone.example';
const byHeaders = { kind: 'employee', credentialId: 'key' } as EmployeePrincipal;
const bySession = { kind: 'employee', credentialId: 'session' } as EmployeePrincipal;

const authenticate = authenticateWithSession({
  authenticate: () => Promise.resolve(byHeaders),
  signedInEmployee: ({ headers }) => Promise.resolve(headers.cookie === 'session=complete' ? bySession : undefined),
  originOf: () => OWN,
});

const request = (headers: IncomingHttpHeaders) => authenticate({ headers } as unknown as IncomingMessage);
const cookie = 'session=complete';

describe('a request of the public API', () => {
  it.each([
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }],
    ['a page of ours that sends its origin', { origin: OWN, 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a program', {}],
  ])('a request of the public API is authenticated by the session when it comes from %s', async (_name, headers) => {
    expect(await request({ cookie, ...headers })).toBe(bySession);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another origin in a browser without fetch metadata', { origin: 'https://other.example' }],
    ['a document without an origin', { origin: 'null' }],
  ])(
    'a request of the public API is not authenticated by the session when it comes from %s',
    async (_name, headers) => {
      expect(await request({ cookie, ...headers })).toBe(byHeaders);
    },
  );

  it.each([{ authorization: 'Bearer at_1' }, { 'x-api-key': 'pk_1' }])(
    'a request of the public API is authenticated by %j first',
    async (headers) => {
      expect(await request({ cookie, ...headers })).toBe(byHeaders);
    },
  );

  it('a request of the public API needs a complete session', async () => {
    expect(await request({ cookie: 'session=enrolment' })).toBe(byHeaders);
  });
});
