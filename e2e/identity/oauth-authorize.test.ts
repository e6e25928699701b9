import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '../support/api.ts';
import { type App, allow, authorizeQuery, newPkce, REDIRECT_URI, registerApp } from './app.ts';
import { newPerson, type Person, signIn } from './people.ts';
import { visit } from './visitor.ts';

const stack = sharedStack();
const { challenge } = newPkce();
let person: Person;
let app: App;
beforeAll(async () => {
  person = await newPerson();
  app = await registerApp();
  await signIn(person);
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
  ])('an authorization request with %s shows an error page and does not redirect', async (_case, changes, status) => {
    const response = await person.request(authorizeQuery(app, challenge, changes));
    expect([response.status, response.headers.get('location')]).toEqual([status, null]);
  });

  it.each(['client_id', 'redirect_uri'])(
    'an authorization request with two of %s shows an error here',
    async (name) => {
      const twice = `${authorizeQuery(app, challenge)}&${name}=x`;
      const response = await person.request(twice);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    },
  );

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
  ])('an authorization request with %s is sent back to the app with the error', async (_case, changes, error) => {
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
    'an authorization request with two of %s is sent back with invalid_request',
    async (name) => {
      const response = await person.request(`${authorizeQuery(app, challenge)}&${name}=x`);
      const back = new URL(response.headers.get('location') ?? '');
      expect(back.searchParams.get('error')).toBe('invalid_request');
    },
  );

  it('an authorization request without a state is sent back without one', async () => {
    const response = await person.request(authorizeQuery(app, challenge, { state: null }));
    const back = new URL(response.headers.get('location') ?? '');
    expect([back.searchParams.get('error'), back.searchParams.has('state')]).toEqual(['invalid_request', false]);
  });

  it('an authorization request gives the state back as it came', async () => {
    const state = 'a b&c=d#e%20+"<script>é';
    const back = await allow(person, authorizeQuery(app, challenge, { state }));
    expect(back.searchParams.get('state')).toBe(state);
  });
});

describe('the consent page', () => {
  it('the consent page shows the app, the redirect host and the scope, every time', async () => {
    for (const _time of [1, 2]) {
      const page = await person.open(authorizeQuery(app, challenge));
      expect(page.status).toBe(200);
      for (const words of ['Calendar', 'app.example', 'api', 'Allow', 'Deny']) expect(page.text).toContain(words);
      await person.press(page, 'Allow');
    }
  });

  it('the consent page is reached through the sign-in, and leads back to the app', async () => {
    const fresh = { ...person, ...visit(stack.base_url) };
    const page = await signIn(fresh, authorizeQuery(app, challenge));
    expect(page.text).toContain('Calendar');
  });

  it('the consent page sends a denial back with the state and the issuer', async () => {
    const page = await person.press(await person.open(authorizeQuery(app, challenge)), 'Deny');
    const back = new URL(page.url);
    expect(page.status).toBe(302);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
      iss: stack.base_url,
    });
  });

  it('the consent page escapes the name of an app', async () => {
    const evil = await registerApp(REDIRECT_URI, '<img src=x onerror=alert(1)>');
    const page = await person.open(authorizeQuery(evil, challenge));
    expect(page.html).not.toContain('<img');
  });

  it('the consent page lets the browser go only to itself and to the app', async () => {
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
  ])('the consent page takes no answer %s', async (_case, tamper) => {
    const body = (await person.open(authorizeQuery(app, challenge))).fields('Allow');
    tamper(body);
    const response = await person.request('/oauth/authorize', { method: 'POST', body });
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
  });

  it('the consent page takes no answer from another site, or by GET', async () => {
    const body = (await person.open(authorizeQuery(app, challenge))).fields('Allow');
    const headers = { origin: 'https://evil.example' };
    expect((await person.request('/oauth/authorize', { method: 'POST', body, headers })).status).toBe(403);
    const byGet = await person.request(`/oauth/authorize?${body}`);
    expect([byGet.status, byGet.headers.get('location')]).toEqual([200, null]);
  });

  it('the consent page accepts no decision without a session', async () => {
    const body = (await person.open(authorizeQuery(app, challenge))).fields('Allow');
    const visitor = visit(stack.base_url);
    const response = await visitor.request('/oauth/authorize', { method: 'POST', body });
    expect(response.headers.get('location')).toMatch(/^\/signin\?/);
  });
});
