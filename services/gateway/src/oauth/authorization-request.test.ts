import { describe, expect, it } from '@jest/globals';
import { readAuthorizationRequest } from './authorization-request.ts';

const ISSUER = 'https://p.example';
const VALID = {
  response_type: 'code',
  client_id: 'app_1',
  redirect_uri: 'https://app.example/cb',
  scope: 'api',
  state: 's',
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
};
const read = (changes: Record<string, string> = {}, more = '') =>
  readAuthorizationRequest(new URLSearchParams(`${new URLSearchParams({ ...VALID, ...changes })}${more}`), ISSUER);
const errorOf = (result: ReturnType<typeof read>) => {
  const parameters = result.ok ? result.parameters.parameters : undefined;
  return parameters?.case === 'problem' ? parameters.value?.error : undefined;
};

describe('readAuthorizationRequest', () => {
  it('readAuthorizationRequest reads a valid request', () => {
    expect(read()).toEqual({
      ok: true,
      parameters: {
        clientId: 'app_1',
        redirectUri: 'https://app.example/cb',
        state: 's',
        issuer: ISSUER,
        parameters: { case: 'code', value: { scope: 'api', codeChallenge: 'A'.repeat(43) } },
      },
    });
  });

  it('readAuthorizationRequest ignores unknown parameters, repeated or not', () => {
    expect(errorOf(read({ nonce: 'n' }, '&prompt=none&prompt=none'))).toBeUndefined();
  });

  it.each([ISSUER, `${ISSUER}/`, `${ISSUER}/mcp`, `${ISSUER}/mcp/`])(
    'readAuthorizationRequest accepts %s as the resource',
    (resource) => expect(errorOf(read({ resource }))).toBeUndefined(),
  );

  it.each(['https://evil.example/mcp', `${ISSUER}/api`, `${ISSUER}//`, 'mcp'])(
    'readAuthorizationRequest reports %s as the resource to the app',
    (resource) => expect(errorOf(read({ resource }))).toBe('invalid_target'),
  );

  it.each([
    ['no client', { client_id: '' }, ''],
    ['two clients', {}, '&client_id=app_2'],
    ['no redirect address', { redirect_uri: '' }, ''],
    ['a line break in the redirect address', { redirect_uri: 'https://app.example/cb\n' }, ''],
  ])('readAuthorizationRequest does not report %s to the app', (_case, changes, more) => {
    expect(read(changes, more)).toMatchObject({ ok: false, problem: { error: 'invalid_request' } });
  });

  it.each(['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'])(
    'readAuthorizationRequest reports a missing %s to the app',
    (name) => {
      const result = read({ [name]: '' });
      expect(errorOf(result)).toBe('invalid_request');
      expect(result).toMatchObject({
        parameters: { parameters: { value: { errorDescription: `${name} is missing` } } },
      });
    },
  );

  it.each(['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'resource'])(
    'readAuthorizationRequest reports a repeated %s to the app',
    (name) => expect(errorOf(read({ resource: ISSUER }, `&${name}=x`))).toBe('invalid_request'),
  );

  it('readAuthorizationRequest has no state when it is repeated', () => {
    const result = read({}, '&state=x');
    expect(result.ok && result.parameters.state).toBeUndefined();
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'web' }, 'invalid_scope'],
    [{ scope: 'api web' }, 'invalid_scope'],
    [{ code_challenge: 'abc' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ state: 'x'.repeat(4097) }, 'invalid_request'],
  ])('readAuthorizationRequest reports %j as %s', (changes, error) => expect(errorOf(read(changes))).toBe(error));
});
