import { beforeAll, describe, expect, it } from '@jest/globals';
import { operate, send, sharedStack } from '../support/api.ts';
import {
  type App,
  allow,
  authorizeQuery,
  newCode,
  newPkce,
  newTokens,
  REDIRECT_URI,
  refresh,
  register,
  registerApp,
  tokenRequest,
  useToken,
} from './app.ts';
import { newPerson, type Person, signIn } from './people.ts';
import { visit } from './visitor.ts';

const stack = sharedStack();
const { challenge, verifier } = newPkce();
let person: Person;
let app: App;
beforeAll(async () => {
  person = await newPerson();
  app = await registerApp();
  await signIn(person);
});

const oauthError = (error: string) => ({ error, error_description: expect.any(String) });

describe('registration', () => {
  it('answers what the specification says, and nothing secret', async () => {
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

  it('is always for the scope api, whatever is asked', async () => {
    const asked = {
      client_name: 'App',
      redirect_uris: [REDIRECT_URI],
      scope: 'api web admin',
      grant_types: ['implicit'],
    };
    expect((await register(asked)).body).toMatchObject({ scope: 'api', response_types: ['code'] });
  });

  it.each([
    'https://app.example/cb',
    'https://app.example',
    'https://app.example:8443/cb?fixed=1',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5555/cb',
    'http://localhost:1/cb',
    'http://[::1]:3000/cb',
  ])('takes the redirect address %s', async (uri) => {
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
  ])('refuses the redirect address %j', async (uri) => {
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
      'the wish for a secret',
      { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'client_secret_basic' },
      'invalid_client_metadata',
    ],
    ['a list as body', [1], 'invalid_client_metadata'],
  ])('refuses %s', async (_case, metadata, error) => {
    const reply = await register(metadata);
    expect([reply.status, reply.body]).toEqual([400, oauthError(error)]);
  });

  it('by the operator may have a scheme of its own, and such an app works', async () => {
    const issue = (uri: string) =>
      operate(stack, 'POST', '/oauth_clients', { client_name: 'Phone', redirect_uris: [uri] });
    const reply = await issue('com.example.phone:/cb');
    expect([reply.status, reply.body.scope]).toEqual([201, 'api']);
    const phone = { clientId: reply.body.client_id, redirectUri: 'com.example.phone:/cb' };
    expect((await useToken((await newTokens(person, phone)).access_token)).status).toBe(200);
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'http://app.example/cb', 'nonsense'])
      expect([uri, (await issue(uri)).status]).toEqual([uri, 422]);
  });
});

describe('an authorization request', () => {
  it.each([
    ['an unknown client', { client_id: 'app_unknown' }, 401],
    ['a query operator for a client', { client_id: '{"$ne":null}' }, 401],
    ['no client', { client_id: null }, 400],
    ['no redirect address', { redirect_uri: null }, 400],
    ['another redirect address', { redirect_uri: 'https://evil.example/cb' }, 400],
    ['a longer path', { redirect_uri: `${REDIRECT_URI}/more` }, 400],
    ['an added query', { redirect_uri: `${REDIRECT_URI}?x=1` }, 400],
    ['a trailing slash', { redirect_uri: `${REDIRECT_URI}/` }, 400],
    ['another case', { redirect_uri: 'https://APP.example/callback' }, 400],
    ['a path that climbs', { redirect_uri: 'https://app.example/x/../callback' }, 400],
    ['an encoded slash', { redirect_uri: 'https://app.example/%63allback' }, 400],
    ['another port', { redirect_uri: 'https://app.example:443/callback' }, 400],
    ['a user name', { redirect_uri: 'https://app.example@evil.example/callback' }, 400],
  ])('with %s shows an error here and goes nowhere', async (_case, changes, status) => {
    const response = await person.request(authorizeQuery(app, challenge, changes));
    expect([response.status, response.headers.get('location')]).toEqual([status, null]);
  });

  it.each(['client_id', 'redirect_uri'])('with two of %s shows an error here', async (name) => {
    const twice = `${authorizeQuery(app, challenge)}&${name}=x`;
    const response = await person.request(twice);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    ['no response type', { response_type: null }, 'invalid_request'],
    ['response type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['a hybrid response type', { response_type: 'code token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: null }, 'invalid_request'],
    ['no challenge method', { code_challenge_method: null }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the method in small letters', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['a padded challenge', { code_challenge: `${'A'.repeat(43)}=` }, 'invalid_request'],
    ['no scope', { scope: null }, 'invalid_request'],
    ['an empty scope', { scope: '' }, 'invalid_request'],
    ['the scope web', { scope: 'web' }, 'invalid_scope'],
    ['a wider scope', { scope: 'api web' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'openid' }, 'invalid_scope'],
    ['the fragment mode', { response_mode: 'fragment' }, 'invalid_request'],
  ])('with %s is sent back to the app with the error', async (_case, changes, error) => {
    const response = await person.request(authorizeQuery(app, challenge, changes));
    expect(response.status).toBe(302);
    const back = new URL(response.headers.get('location') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'state-1',
      iss: stack.base_url,
    });
  });

  it.each(['scope', 'code_challenge', 'code_challenge_method', 'response_type', 'state'])(
    'with two of %s is sent back with invalid_request',
    async (name) => {
      const response = await person.request(`${authorizeQuery(app, challenge)}&${name}=x`);
      const back = new URL(response.headers.get('location') ?? '');
      expect(back.searchParams.get('error')).toBe('invalid_request');
    },
  );

  it('without a state is sent back without one', async () => {
    const response = await person.request(authorizeQuery(app, challenge, { state: null }));
    const back = new URL(response.headers.get('location') ?? '');
    expect([back.searchParams.get('error'), back.searchParams.has('state')]).toEqual(['invalid_request', false]);
  });

  it('gives the state back as it came', async () => {
    const state = 'a b&c=d#e%20+"<script>é';
    const back = await allow(person, authorizeQuery(app, challenge, { state }));
    expect(back.searchParams.get('state')).toBe(state);
  });
});

describe('the consent page', () => {
  it('names the app, where the answer goes and the scope, and is shown every time', async () => {
    for (const _time of [1, 2]) {
      const page = await person.open(authorizeQuery(app, challenge));
      expect(page.status).toBe(200);
      for (const words of ['Calendar', 'app.example', 'api', 'Allow', 'Deny']) expect(page.text).toContain(words);
      await person.press(page, 'Allow');
    }
  });

  it('is reached through the sign-in, and leads back to the app', async () => {
    const fresh = { ...person, ...visit(stack.base_url) };
    const page = await signIn(fresh, authorizeQuery(app, challenge));
    expect(page.text).toContain('Calendar');
  });

  it('sends a denial back with the state and the issuer', async () => {
    const page = await person.press(await person.open(authorizeQuery(app, challenge)), 'Deny');
    const back = new URL(page.url);
    expect(page.status).toBe(302);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
      iss: stack.base_url,
    });
  });

  it('escapes the name of an app', async () => {
    const evil = await registerApp(REDIRECT_URI, '<img src=x onerror=alert(1)>');
    const page = await person.open(authorizeQuery(evil, challenge));
    expect(page.html).not.toContain('<img');
  });

  it('lets the browser go only to itself and to the app', async () => {
    const page = await person.open(authorizeQuery(app, challenge));
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
  });

  it.each([
    ['without a token', (body: URLSearchParams) => body.delete('form_token')],
    ['for another app', (body: URLSearchParams) => body.set('client_id', 'app_other')],
    ['for another address', (body: URLSearchParams) => body.set('redirect_uri', 'https://evil.example/cb')],
    ['for another challenge', (body: URLSearchParams) => body.set('code_challenge', 'B'.repeat(43))],
    ['with another state', (body: URLSearchParams) => body.set('state', 'evil')],
    ['with both answers', (body: URLSearchParams) => body.append('decision', 'deny')],
    ['with no answer', (body: URLSearchParams) => body.delete('decision')],
  ])('takes no answer %s', async (_case, tamper) => {
    const body = (await person.open(authorizeQuery(app, challenge))).fields('Allow');
    tamper(body);
    const response = await person.request('/oauth/authorize', { method: 'POST', body });
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
  });

  it('takes no answer from another site, or by GET', async () => {
    const body = (await person.open(authorizeQuery(app, challenge))).fields('Allow');
    const headers = { origin: 'https://evil.example' };
    expect((await person.request('/oauth/authorize', { method: 'POST', body, headers })).status).toBe(403);
    const byGet = await person.request(`/oauth/authorize?${body}`);
    expect([byGet.status, byGet.headers.get('location')]).toEqual([200, null]);
  });

  it('takes no answer from whoever is not signed in', async () => {
    const body = (await person.open(authorizeQuery(app, challenge))).fields('Allow');
    const stranger = visit(stack.base_url);
    const response = await stranger.request('/oauth/authorize', { method: 'POST', body });
    expect(response.headers.get('location')).toMatch(/^\/signin\?/);
  });
});

describe('a code', () => {
  it('gives tokens as the specification says', async () => {
    const reply = await tokenRequest(await newCode(person, app));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^at_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rt_/),
      scope: 'api',
      created_at: expect.any(Number),
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['without a grant type', { grant_type: '' }, 'invalid_request', 400],
    ['with an unknown grant type', { grant_type: 'password' }, 'unsupported_grant_type', 400],
    ['as client credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type', 400],
    ['without a client', { client_id: '' }, 'invalid_request', 400],
    ['by an unknown client', { client_id: 'app_unknown' }, 'invalid_client', 401],
    ['without a code', { code: '' }, 'invalid_request', 400],
    ['with an unknown code', { code: 'oc_unknown' }, 'invalid_grant', 400],
    ['without a redirect address', { redirect_uri: '' }, 'invalid_request', 400],
    ['with another redirect address', { redirect_uri: 'https://evil.example/cb' }, 'invalid_grant', 400],
    ['without a verifier', { code_verifier: '' }, 'invalid_request', 400],
    ['with another verifier', { code_verifier: 'A'.repeat(43) }, 'invalid_grant', 400],
    ['with a short verifier', { code_verifier: 'wrong' }, 'invalid_grant', 400],
  ])('is not redeemed %s', async (_case, changes, error, status) => {
    const form = await newCode(person, app);
    const reply = await tokenRequest({ ...form, ...changes });
    expect([reply.status, reply.body]).toEqual([status, oauthError(error)]);
    expect((await tokenRequest(form)).status).toBe(200);
  });

  it.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'])(
    'is not redeemed with two of %s',
    async (name) => {
      const form = await newCode(person, app);
      const reply = await tokenRequest({ ...form, [name]: [form[name] ?? '', form[name] ?? ''] });
      expect([reply.status, reply.body]).toEqual([400, oauthError('invalid_request')]);
    },
  );

  it('is not redeemed with its challenge for a verifier (PKCE downgrade)', async () => {
    const pkce = newPkce();
    const back = await allow(person, authorizeQuery(app, pkce.challenge));
    const form = {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      code: back.searchParams.get('code') ?? '',
    };
    for (const code_verifier of [pkce.challenge, verifier])
      expect((await tokenRequest({ ...form, code_verifier })).body).toEqual(oauthError('invalid_grant'));
  });

  it('is not redeemed by another app', async () => {
    const form = await newCode(person, app);
    const other = await registerApp();
    expect((await tokenRequest({ ...form, client_id: other.clientId })).body).toEqual(oauthError('invalid_grant'));
    expect((await tokenRequest(form)).status).toBe(200);
  });

  it('is not taken as JSON or in the query', async () => {
    const form = await newCode(person, app);
    const json = await send('POST', `${stack.base_url}/oauth/token`, { body: form });
    expect([json.status, json.body]).toEqual([400, oauthError('invalid_request')]);
    const query = await send('POST', `${stack.base_url}/oauth/token?${new URLSearchParams(form)}`);
    expect([query.status, query.body]).toEqual([400, oauthError('invalid_request')]);
    expect((await send('GET', `${stack.base_url}/oauth/token?${new URLSearchParams(form)}`)).status).toBe(405);
  });

  it('used twice ends what it gave', async () => {
    const form = await newCode(person, app);
    const { body: tokens } = await tokenRequest(form);
    expect((await useToken(tokens.access_token)).status).toBe(200);
    const again = await tokenRequest(form);
    expect([again.status, again.body]).toEqual([400, oauthError('invalid_grant')]);
    expect((await useToken(tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).body).toEqual(oauthError('invalid_grant'));
  });

  it('redeemed fifty times at once is redeemed once', async () => {
    const form = await newCode(person, app);
    const replies = await Promise.all(Array.from({ length: 50 }, () => tokenRequest(form)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replies) if (status !== 200) expect(body).toEqual(oauthError('invalid_grant'));
  });
});

describe('a refresh token', () => {
  it('is rotated; the one before is spent, and the chain goes on', async () => {
    const first = await newTokens(person, app);
    const second = await refresh(app, first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    const spent = await refresh(app, first.refresh_token);
    expect([spent.status, spent.body]).toEqual([400, oauthError('invalid_grant')]);
    // Within half a minute nothing else happens: it was a stumble.
    expect((await useToken(second.body.access_token)).status).toBe(200);
    expect((await refresh(app, second.body.refresh_token)).status).toBe(200);
  });

  it('refreshed fifty times at once has one successor, and nobody is locked out', async () => {
    const first = await newTokens(person, app);
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(app, first.refresh_token)));
    const successors = new Set(replies.flatMap(({ body }) => body.refresh_token ?? []));
    expect(successors.size).toBe(1);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const [successor = ''] = successors;
    expect((await refresh(app, first.refresh_token)).body).toEqual(oauthError('invalid_grant'));
    expect((await refresh(app, successor)).status).toBe(200);
  });

  it.each([
    ['by an unknown client', { client_id: 'app_unknown' }, 'invalid_client', 401],
    ['without a client', { client_id: '' }, 'invalid_request', 400],
    ['without the token', { refresh_token: '' }, 'invalid_request', 400],
    ['for a wider scope', { scope: 'api web' }, 'invalid_scope', 400],
    ['for another scope', { scope: 'web' }, 'invalid_scope', 400],
    ['with an unknown token', { refresh_token: `rt_${'A'.repeat(64)}` }, 'invalid_grant', 400],
    ['with nonsense for a token', { refresh_token: '{"$ne":1}' }, 'invalid_grant', 400],
  ])('is not rotated %s', async (_case, changes, error, status) => {
    const tokens = await newTokens(person, app);
    const reply = await refresh(app, tokens.refresh_token, changes);
    expect([reply.status, reply.body]).toEqual([status, oauthError(error)]);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('is not rotated by another app, and that does not hurt the one it belongs to', async () => {
    const tokens = await newTokens(person, app);
    const other = await registerApp();
    expect((await refresh(other, tokens.refresh_token)).body).toEqual(oauthError('invalid_grant'));
    expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('is not an access token, nor the other way round', async () => {
    const tokens = await newTokens(person, app);
    expect((await useToken(tokens.refresh_token)).status).toBe(401);
    expect((await refresh(app, tokens.access_token)).body).toEqual(oauthError('invalid_grant'));
  });
});

describe('revocation', () => {
  const revoke = (fields: Record<string, string | string[]>) => tokenRequest(fields, '/oauth/revoke');

  it('of the refresh token ends the grant', async () => {
    const tokens = await newTokens(person, app);
    expect((await revoke({ token: tokens.refresh_token, client_id: app.clientId })).status).toBe(200);
    expect((await useToken(tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).body).toEqual(oauthError('invalid_grant'));
  });

  it('of the access token leaves the refresh token', async () => {
    const tokens = await newTokens(person, app);
    expect((await useToken(tokens.access_token)).status).toBe(200);
    expect((await revoke({ token: tokens.access_token, client_id: app.clientId })).status).toBe(200);
    const refused = await useToken(tokens.access_token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('is 200 whatever is sent, and does nothing for another app', async () => {
    const tokens = await newTokens(person, app);
    const other = await registerApp();
    const attempts: Record<string, string | string[]>[] = [
      {},
      { token: 'unknown', client_id: app.clientId },
      { token: tokens.refresh_token },
      { token: tokens.refresh_token, client_id: other.clientId },
      { token: tokens.refresh_token, client_id: 'app_unknown' },
      { token: [tokens.refresh_token, 'x'], client_id: app.clientId },
    ];
    for (const attempt of attempts) expect((await revoke(attempt)).status).toBe(200);
    expect((await useToken(tokens.access_token)).status).toBe(200);
  });

  it('on the connected-apps page ends all an app was allowed', async () => {
    const owner = await newPerson();
    await signIn(owner);
    const [one, two] = [await newTokens(owner, app), await newTokens(owner, app)];
    const page = await owner.open('/dashboard/connected-apps');
    expect(page.text).toContain('Calendar');
    expect((await owner.press(page, 'Revoke')).text).toContain('There are none.');
    expect([(await useToken(one.access_token)).status, (await useToken(two.access_token)).status]).toEqual([401, 401]);
  });
});

describe('a credential on the API', () => {
  const ask = (headers: Record<string, string>) => send('GET', `${stack.base_url}/api/v1/contacts`, { headers });

  it.each([
    ['nothing', {}, 'Missing credentials', 'Bearer error="invalid_token"'],
    ['an empty bearer', { Authorization: 'Bearer ' }, expect.any(String), 'Bearer error="invalid_token"'],
    ['another scheme', { Authorization: 'Basic eDp5' }, expect.any(String), 'Bearer error="invalid_token"'],
    ['an unknown token', { Authorization: 'Bearer at_unknown' }, expect.any(String), 'Bearer error="invalid_token"'],
    ['an unknown key', { 'X-Api-Key': 'pk_unknown' }, 'Invalid API key', null],
  ])('%s is 401', async (_case, headers, error, challenge401) => {
    const reply = await ask(headers as Record<string, string>);
    expect([reply.status, reply.body]).toEqual([401, { error }]);
    if (challenge401) expect(reply.headers.get('www-authenticate')).toBe(challenge401);
  });

  it('sent as key and token counts as the token', async () => {
    const tokens = await newTokens(person, app);
    const authorization = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await ask({ ...authorization, 'X-Api-Key': 'pk_unknown' })).status).toBe(200);
    expect((await ask({ Authorization: 'Bearer at_unknown', 'X-Api-Key': person.apiKey })).status).toBe(401);
  });
});

describe('a page of another site', () => {
  it('may call the endpoints that programs call, and none that looks at cookies', async () => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    for (const path of [
      '/oauth/token',
      '/oauth/register',
      '/oauth/revoke',
      '/.well-known/oauth-authorization-server',
    ]) {
      const preflight = await send('OPTIONS', `${stack.base_url}${path}`, { headers });
      expect([path, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const path of ['/oauth/authorize', '/signin', '/dashboard/api-keys']) {
      const reply = await send('GET', `${stack.base_url}${path}`, { headers });
      expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});

describe('a strange Host header', () => {
  it('ends up in no document', async () => {
    const { port } = new URL(stack.base_url);
    const { request } = await import('node:http');
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'evil.example' };
      const path = '/.well-known/oauth-authorization-server';
      request({ host: '127.0.0.1', port, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body).issuer).toBe(stack.base_url);
  });
});
