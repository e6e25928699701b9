import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { jsonResponse, networkError, type Scripted, scriptedFetch } from '../../test/scripted-fetch.ts';
import { ParleyOAuth } from './parley-oauth.ts';

const BASE = 'https://phone.example';
const REDIRECT = 'https://app.example/callback';
const ISSUED = { access_token: 'at_1', refresh_token: 'rt_1', token_type: 'Bearer', expires_in: 7200 };

function oauthWith(...script: Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  const options = { baseUrl: BASE, clientId: 'app_1', redirectUri: REDIRECT, fetch, maxRetries: 0 };
  return { oauth: new ParleyOAuth(options), sent };
}

const back = (query: Record<string, string>) => `${REDIRECT}?${new URLSearchParams({ iss: BASE, ...query })}`;
const form = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body));

describe('an authorization', () => {
  it('an authorization sends the browser with a challenge, and redeems the code with its verifier', async () => {
    const { oauth, sent } = oauthWith(jsonResponse(ISSUED));
    const { url, state, codeVerifier } = await oauth.authorizationUrl();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(url.startsWith(`${BASE}/oauth/authorize?`)).toBe(true);
    expect(query).toEqual({
      response_type: 'code',
      client_id: 'app_1',
      redirect_uri: REDIRECT,
      scope: 'api',
      state,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(await oauth.callback(back({ code: 'c1', state }))).toEqual(ISSUED);
    expect(sent[0]!.url).toBe(`${BASE}/oauth/token`);
    expect(form(sent[0]!.body)).toEqual({
      grant_type: 'authorization_code',
      client_id: 'app_1',
      redirect_uri: REDIRECT,
      code: 'c1',
      code_verifier: codeVerifier,
    });
  });

  it('an authorization has a state and a verifier that nobody guesses', async () => {
    const { oauth } = oauthWith(jsonResponse(ISSUED));
    const begun = await Promise.all(Array.from({ length: 50 }, () => oauth.authorizationUrl()));
    const texts = begun.flatMap(({ state, codeVerifier }) => [state, codeVerifier]);
    expect(new Set(texts).size).toBe(100);
    for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
  });

  it('an authorization can be ended by another process with what was kept of it', async () => {
    const { oauth } = oauthWith(jsonResponse(ISSUED));
    const kept = await oauthWith(jsonResponse({})).oauth.authorizationUrl();
    expect(await oauth.callback(back({ code: 'c1', state: kept.state }), kept)).toEqual(ISSUED);
  });

  it.each([
    ['another state', { code: 'c', state: 'other' }, 'invalid_state'],
    ['no state', { code: 'c' }, 'invalid_state'],
    ['another issuer', { code: 'c', state: 'OWN', iss: 'https://other.example' }, 'invalid_issuer'],
    ['no issuer', { code: 'c', state: 'OWN', iss: '' }, 'invalid_issuer'],
    ['a refusal', { error: 'access_denied', state: 'OWN' }, 'access_denied'],
    ['no code', { state: 'OWN' }, 'invalid_response'],
  ])('an authorization that comes back with %s redeems nothing', async (_name, query: Record<string, string>, code) => {
    const { oauth, sent } = oauthWith(jsonResponse(ISSUED));
    const { state } = await oauth.authorizationUrl();
    const given = query['state'] === 'OWN' ? { ...query, state } : query;
    await expect(oauth.callback(back(given))).rejects.toMatchObject({ name: 'AuthenticationError', code });
    expect(sent).toEqual([]);
  });

  it('an authorization ends once', async () => {
    const { oauth } = oauthWith(jsonResponse(ISSUED));
    const { state } = await oauth.authorizationUrl();
    await oauth.callback(back({ code: 'c1', state }));
    await expect(oauth.callback(back({ code: 'c1', state }))).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('an app', () => {
  it('an app registers itself and goes on with its new id', async () => {
    const { oauth, sent } = oauthWith(
      jsonResponse({ client_id: 'app_2' }, 201),
      jsonResponse(ISSUED),
      jsonResponse({}),
    );
    await oauth.register({ client_name: 'Calendar', redirect_uris: [REDIRECT] });
    expect(oauth.clientId).toBe('app_2');
    expect(await oauth.refresh('rt_0')).toEqual(ISSUED);
    await oauth.revoke('rt_1');
    expect(sent.map(({ url }) => url.replace(BASE, ''))).toEqual(['/oauth/register', '/oauth/token', '/oauth/revoke']);
    expect(form(sent[1]!.body)).toEqual({ grant_type: 'refresh_token', client_id: 'app_2', refresh_token: 'rt_0' });
    expect(form(sent[2]!.body)).toEqual({ token: 'rt_1', client_id: 'app_2' });
  });

  it('an app without a browser waits for the employee', async () => {
    const device = {
      device_code: 'secret-code',
      user_code: 'WDJB-MJHT',
      verification_uri: `${BASE}/device`,
      expires_in: 600,
    };
    const { oauth, sent } = oauthWith(
      jsonResponse({ ...device, interval: 0.01 }),
      jsonResponse({ error: 'authorization_pending' }, 400),
      jsonResponse({ error: 'authorization_pending' }, 400),
      jsonResponse(ISSUED),
    );
    const authorization = await oauth.deviceAuthorization();
    expect(authorization.user_code).toBe('WDJB-MJHT');
    expect(inspect(authorization, { depth: 9, showHidden: true })).not.toContain('secret-code');
    expect(await authorization.tokens()).toEqual(ISSUED);
    expect(form(sent[3]!.body)).toEqual({
      client_id: 'app_1',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'secret-code',
    });
  });

  it('an app without a browser goes on waiting after a lost connection, and while the service is away', async () => {
    const device = { device_code: 'c', user_code: 'u', verification_uri: 'v', expires_in: 600, interval: 0.01 };
    const { oauth, sent } = oauthWith(
      jsonResponse(device),
      networkError('ECONNRESET'),
      jsonResponse({ error: 'unavailable' }, 503),
      jsonResponse({ error: 'rate_limited' }, 429),
      jsonResponse(ISSUED),
    );
    expect(await (await oauth.deviceAuthorization()).tokens()).toEqual(ISSUED);
    expect(sent).toHaveLength(5);
  });

  it('an app without a browser ends with a response that has no tokens', async () => {
    const device = { device_code: 'c', user_code: 'u', verification_uri: 'v', expires_in: 600, interval: 0.01 };
    const { oauth } = oauthWith(jsonResponse(device), jsonResponse({}));
    await expect((await oauth.deviceAuthorization()).tokens()).rejects.toMatchObject({ name: 'ServerError' });
  });

  it.each(['access_denied', 'expired_token'])('an app without a browser ends with %s', async (error) => {
    const device = {
      device_code: 'secret-code',
      user_code: 'u',
      verification_uri: 'v',
      expires_in: 600,
      interval: 0.01,
    };
    const { oauth } = oauthWith(jsonResponse(device), jsonResponse({ error }, 400));
    await expect((await oauth.deviceAuthorization()).tokens()).rejects.toMatchObject({ code: error });
  });

  it('an app without a browser ends when the employee has not decided in time, whatever the service says', async () => {
    const device = {
      device_code: 'secret-code',
      user_code: 'u',
      verification_uri: 'v',
      expires_in: 0.1,
      interval: 0.02,
    };
    const { oauth } = oauthWith(jsonResponse(device), jsonResponse({ error: 'authorization_pending' }, 400));
    await expect((await oauth.deviceAuthorization()).tokens()).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('an app shows nobody what it knows', async () => {
    const { oauth } = oauthWith(jsonResponse({}));
    const { state, codeVerifier } = await oauth.authorizationUrl();
    const shown = inspect(oauth, { depth: 9, showHidden: true });
    expect(shown).not.toContain(state);
    expect(shown).not.toContain(codeVerifier);
  });
});
