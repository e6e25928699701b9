import { describe, expect, it } from '@jest/globals';
import { operate, sharedStack } from '../support/api.ts';
import { newTokens, REDIRECT_URI, register, useToken } from './app.ts';
import { oauthError } from './oauth-error.ts';
import { newPerson } from './people.ts';

const stack = sharedStack();

describe('registration', () => {
  it('registration returns the fields of the specification, and no secret', async () => {
    const reply = await register({
      client_name: 'App',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: 'App',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'api',
    });
  });

  it('registration always has the scope api', async () => {
    const requested = {
      client_name: 'App',
      redirect_uris: [REDIRECT_URI],
      scope: 'api web admin',
      grant_types: ['implicit'],
    };
    expect((await register(requested)).body).toMatchObject({ scope: 'api', response_types: ['code'] });
  });

  it.each([
    'https://app.example/cb',
    'https://app.example',
    'https://app.example:8443/cb?fixed=1',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5555/cb',
    'http://localhost:1/cb',
    'http://[::1]:3000/cb',
  ])('registration takes the redirect address %s', async (uri) => {
    expect((await register({ client_name: 'App', redirect_uris: [uri] })).status).toBe(201);
  });

  it.each([
    'http://app.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://localhost@evil.example/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://2130706433/cb',
    'https://user@app.example/cb',
    'https://app.example/cb#fragment',
    'https://app.example/cb#',
    'https://*.example/cb',
    'https://app.example\\@evil.example/cb',
    'https:/app.example/cb',
    'https://',
    '//app.example/cb',
    '/cb',
    'app.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.app:/cb',
    'myapp://cb',
    'ftp://app.example/cb',
    ' https://app.example/cb',
    'https://app.example/c b',
    'https://app.example/cb\r\nX: y',
    `https://app.example/${'x'.repeat(3000)}`,
    '',
  ])('registration refuses the redirect address %j', async (uri) => {
    const reply = await register({ client_name: 'App', redirect_uris: [uri] });
    expect([reply.status, reply.body]).toEqual([400, oauthError('invalid_redirect_uri')]);
  });

  it.each([
    ['no redirect address', { client_name: 'App' }, 'invalid_redirect_uri'],
    ['an empty list', { client_name: 'App', redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a string for a list', { client_name: 'App', redirect_uris: REDIRECT_URI }, 'invalid_redirect_uri'],
    ['objects in the list', { client_name: 'App', redirect_uris: [{ $gt: '' }] }, 'invalid_redirect_uri'],
    ['a good and a bad one', { redirect_uris: [REDIRECT_URI, 'http://evil.example'] }, 'invalid_redirect_uri'],
    ['an object as name', { client_name: { $ne: 1 }, redirect_uris: [REDIRECT_URI] }, 'invalid_client_metadata'],
    [
      'a name that reads backwards',
      { client_name: 'a\u202eb', redirect_uris: [REDIRECT_URI] },
      'invalid_client_metadata',
    ],
    ['a name without end', { client_name: 'x'.repeat(500), redirect_uris: [REDIRECT_URI] }, 'invalid_client_metadata'],
    [
      'a request for a secret',
      { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'client_secret_basic' },
      'invalid_client_metadata',
    ],
    ['a list as body', [1], 'invalid_client_metadata'],
  ])('registration refuses %s', async (_case, metadata, error) => {
    const reply = await register(metadata);
    expect([reply.status, reply.body]).toEqual([400, oauthError(error)]);
  });

  it('an app that the operator registers may have a custom scheme, and works', async () => {
    const issue = (uri: string) =>
      operate(stack, 'POST', '/oauth_clients', { client_name: 'Phone', redirect_uris: [uri] });
    const reply = await issue('com.example.phone:/cb');
    expect([reply.status, reply.body.scope]).toEqual([201, 'api']);
    const phone = { clientId: reply.body.client_id, redirectUri: 'com.example.phone:/cb' };
    expect((await useToken((await newTokens(await newPerson(), phone)).access_token)).status).toBe(200);
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'http://app.example/cb', 'nonsense'])
      expect([uri, (await issue(uri)).status]).toEqual([uri, 422]);
  });
});
