import { describe, expect, it } from '@jest/globals';
import { issuedClient } from '../oauth-clients/oauth-client.ts';
import { parametersOf } from '../oauth/parameters.ts';
import { checkAuthorization } from './authorization-request.ts';

const REDIRECT_URI = 'https://app.example/cb';
const client = issuedClient('app_1', { name: 'App', redirectUris: [REDIRECT_URI] }, new Date(0));
const SOUND = {
  response_type: 'code',
  client_id: 'app_1',
  redirect_uri: REDIRECT_URI,
  scope: 'api',
  state: 's',
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
};
const listed = (fields: Record<string, string>) => Object.entries(fields).map(([name, value]) => ({ name, value }));
const check = (changes: Record<string, string> = {}, more: { name: string; value: string }[] = [], known = true) =>
  checkAuthorization(
    parametersOf([...listed({ ...SOUND, ...changes }), ...more]),
    known ? client : undefined,
    'https://p.example',
  );

const errorOf = (result: ReturnType<typeof check>) =>
  result.kind === 'redirect' && new URL(result.redirect).searchParams.get('error');

describe('checkAuthorization', () => {
  it('puts a sound request to the employee', () => {
    expect(check()).toEqual({
      kind: 'ask',
      request: {
        clientId: 'app_1',
        redirectUri: REDIRECT_URI,
        scope: 'api',
        challenge: 'A'.repeat(43),
        state: 's',
      },
    });
  });

  it('ignores parameters it does not know, repeated or not', () => {
    const prompt = { name: 'prompt', value: 'none' };
    expect(check({ nonce: 'n' }, [prompt, prompt]).kind).toBe('ask');
  });

  it.each(['https://p.example', 'https://p.example/', 'https://p.example/mcp', 'https://p.example/mcp/'])(
    'takes %s as the resource',
    (resource) => expect(check({ resource }).kind).toBe('ask'),
  );

  it.each(['https://evil.example/mcp', 'https://p.example/api', 'https://p.example//', 'mcp'])(
    'sends back %s as the resource',
    (resource) => expect(errorOf(check({ resource }))).toBe('invalid_target'),
  );

  it('sends back a repeated resource', () => {
    const resource = { name: 'resource', value: 'https://p.example/mcp' };
    expect(errorOf(check({}, [resource, resource]))).toBe('invalid_request');
  });

  it.each([
    ['an unknown client', {}, false, 'invalid_client', 401],
    ['no client', { client_id: '' }, false, 'invalid_request', 400],
    ['no redirect address', { redirect_uri: '' }, true, 'invalid_request', 400],
    ['a foreign redirect address', { redirect_uri: 'https://evil.example' }, true, 'invalid_request', 400],
    ['a line break in the redirect address', { redirect_uri: `${REDIRECT_URI}\n` }, true, 'invalid_request', 400],
  ])('keeps %s here', (_case, changes, known, error, status) => {
    expect(check(changes as Record<string, string>, [], known)).toMatchObject({
      kind: 'error',
      error: { error, status },
    });
  });

  it.each([
    ['response_type', 'invalid_request'],
    ['scope', 'invalid_request'],
    ['state', 'invalid_request'],
    ['code_challenge', 'invalid_request'],
    ['code_challenge_method', 'invalid_request'],
  ])('sends back a request without %s', (name, error) => {
    const result = check({ [name]: '' });
    expect(result.kind === 'redirect' && new URL(result.redirect).searchParams.get('error')).toBe(error);
  });

  it('tells the issuer in whatever it sends back', () => {
    const result = check({ scope: 'web' });
    expect(result.kind === 'redirect' && new URL(result.redirect).searchParams.get('iss')).toBe('https://p.example');
  });
});
