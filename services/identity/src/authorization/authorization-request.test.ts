import { describe, expect, it } from '@jest/globals';
import { issuedClient } from '../oauth-clients/oauth-client.ts';
import { type AuthorizationRequest, checkAuthorization, redirectTarget } from './authorization-request.ts';

const REDIRECT_URI = 'https://app.example/cb';
const client = issuedClient('app_1', { name: 'App', redirectUris: [REDIRECT_URI] }, new Date(0));
const code = { scope: 'api', codeChallenge: 'A'.repeat(43) };
const valid: AuthorizationRequest = {
  clientId: 'app_1',
  redirectUri: REDIRECT_URI,
  state: 's',
  issuer: 'https://p.example',
  parameters: code,
};
const problem = { error: 'invalid_scope', errorDescription: 'scope must be api' };

describe('checkAuthorization', () => {
  it('checkAuthorization shows the consent page for a valid request', () => {
    expect(checkAuthorization(valid, client)).toEqual({ kind: 'ask', client, code });
  });

  it('checkAuthorization redirects an invalid request to the app, with the state and the issuer', () => {
    const check = checkAuthorization({ ...valid, parameters: problem }, client);
    expect(check.kind).toBe('redirect');
    expect(Object.fromEntries(new URL((check as { redirect: string }).redirect).searchParams)).toEqual({
      error: 'invalid_scope',
      error_description: 'scope must be api',
      state: 's',
      iss: 'https://p.example',
    });
  });

  it('checkAuthorization redirects without a state when there was none', () => {
    const check = checkAuthorization({ ...valid, state: undefined, parameters: problem }, client);
    expect(new URL((check as { redirect: string }).redirect).searchParams.has('state')).toBe(false);
  });

  it.each([
    ['an unknown client', {}, undefined, 'invalid_client', 401],
    ['another redirect address', { redirectUri: 'https://evil.example' }, client, 'invalid_request', 400],
    ['both, and invalid parameters', { parameters: problem }, undefined, 'invalid_client', 401],
  ])('checkAuthorization shows an error page for %s', (_case, changes, known, error, status) => {
    expect(checkAuthorization({ ...valid, ...changes }, known)).toMatchObject({
      kind: 'error',
      error: { error, status },
    });
  });
});

it.each([
  ['https://app.example/cb', 'https://app.example/cb?code=c'],
  ['https://app.example', 'https://app.example?code=c'],
  ['https://app.example/cb?fixed=1', 'https://app.example/cb?fixed=1&code=c'],
  ['https://app.example/cb?', 'https://app.example/cb?code=c'],
  ['com.example.app:/cb', 'com.example.app:/cb?code=c'],
  ['myapp://cb', 'myapp://cb?code=c'],
  ['https://app.example/%2F/../cb', 'https://app.example/%2F/../cb?code=c'],
])('the redirect address %s becomes %s, character by character', (uri, target) => {
  expect(redirectTarget(uri, { code: 'c', state: undefined })).toBe(target);
});

it('a redirect address escapes what would otherwise start another parameter or line', () => {
  const target = redirectTarget('https://app.example/cb', { state: 'a&code=evil\r\nX: y#z' });
  expect(target).toBe('https://app.example/cb?state=a%26code%3Devil%0D%0AX%3A+y%23z');
});
