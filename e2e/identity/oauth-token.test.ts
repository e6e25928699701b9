import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestCompany, send, sharedStack } from '../support/api.ts';
import { expectNoSlower, readTimesBeside } from '../support/read-times.ts';
import {
  type App,
  allow,
  authorizeQuery,
  newCode,
  newPkce,
  newTokens,
  refresh,
  registerApp,
  tokenRequest,
  useToken,
} from './app.ts';
import { oauthError } from './oauth-error.ts';
import { newPerson, type Person, signIn } from './people.ts';

const stack = sharedStack();
let person: Person;
let app: App;
beforeAll(async () => {
  person = await newPerson();
  app = await registerApp();
  await signIn(person);
});

describe('a code', () => {
  it('a code returns tokens as specified', async () => {
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
  ])('a code is not redeemed %s', async (_case, changes, error, status) => {
    const form = await newCode(person, app);
    const reply = await tokenRequest({ ...form, ...changes });
    expect([reply.status, reply.body]).toEqual([status, oauthError(error)]);
    expect((await tokenRequest(form)).status).toBe(200);
  });

  it.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'])(
    'a code is not redeemed with two of %s',
    async (name) => {
      const form = await newCode(person, app);
      const reply = await tokenRequest({ ...form, [name]: [form[name] ?? '', form[name] ?? ''] });
      expect([reply.status, reply.body]).toEqual([400, oauthError('invalid_request')]);
    },
  );

  it('a code is not redeemed with its challenge for a verifier (PKCE downgrade)', async () => {
    const pkce = newPkce();
    const back = await allow(person, authorizeQuery(app, pkce.challenge));
    const form = {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      code: back.searchParams.get('code') ?? '',
    };
    for (const code_verifier of [pkce.challenge, newPkce().verifier])
      expect((await tokenRequest({ ...form, code_verifier })).body).toEqual(oauthError('invalid_grant'));
  });

  it('a code is not redeemed by another app', async () => {
    const form = await newCode(person, app);
    const other = await registerApp();
    expect((await tokenRequest({ ...form, client_id: other.clientId })).body).toEqual(oauthError('invalid_grant'));
    expect((await tokenRequest(form)).status).toBe(200);
  });

  it('a code is not taken as JSON or in the query', async () => {
    const form = await newCode(person, app);
    const json = await send('POST', `${stack.base_url}/oauth/token`, { body: form });
    expect([json.status, json.body]).toEqual([400, oauthError('invalid_request')]);
    const query = await send('POST', `${stack.base_url}/oauth/token?${new URLSearchParams(form)}`);
    expect([query.status, query.body]).toEqual([400, oauthError('invalid_request')]);
    expect((await send('GET', `${stack.base_url}/oauth/token?${new URLSearchParams(form)}`)).status).toBe(405);
  });

  it('a code used twice revokes its tokens', async () => {
    const form = await newCode(person, app);
    const { body: tokens } = await tokenRequest(form);
    expect((await useToken(tokens.access_token)).status).toBe(200);
    const again = await tokenRequest(form);
    expect([again.status, again.body]).toEqual([400, oauthError('invalid_grant')]);
    expect((await useToken(tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).body).toEqual(oauthError('invalid_grant'));
  });

  it('a code redeemed fifty times at once is redeemed once', async () => {
    const form = await newCode(person, app);
    const replies = await Promise.all(Array.from({ length: 50 }, () => tokenRequest(form)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replies) if (status !== 200) expect(body).toEqual(oauthError('invalid_grant'));
  });
});

describe('a refresh token', () => {
  it('a refresh token is rotated; the previous one is spent, and the chain continues', async () => {
    const first = await newTokens(person, app);
    const second = await refresh(app, first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    const spent = await refresh(app, first.refresh_token);
    expect([spent.status, spent.body]).toEqual([400, oauthError('invalid_grant')]);
    // Within half a minute nothing else happens: it counts as a mistake.
    expect((await useToken(second.body.access_token)).status).toBe(200);
    expect((await refresh(app, second.body.refresh_token)).status).toBe(200);
  });

  it('a refresh token refreshed fifty times at once has one successor, and no client loses access', async () => {
    const first = await newTokens(person, app);
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(app, first.refresh_token)));
    const successors = new Set(replies.flatMap(({ body }) => body.refresh_token ?? []));
    expect(successors.size).toBe(1);
    // A request that arrives after another was answered does not overlap it.
    const late = replies.filter(({ status }) => status !== 200);
    expect(late.map(({ status, body }) => [status, body])).toEqual(late.map(() => [400, oauthError('invalid_grant')]));
    const [successor = ''] = successors;
    expect((await refresh(app, first.refresh_token)).body).toEqual(oauthError('invalid_grant'));
    expect((await refresh(app, successor)).status).toBe(200);
  });

  it('a refresh by each of eight clients all the time does not delay another company much more than eight readers do', async () => {
    const [reading, other] = [await createTestCompany(), await createTestCompany()];
    const tokens: string[] = [];
    for (let client = 0; client < 8; client++) tokens.push((await newTokens(person, app)).refresh_token);
    const refreshes = tokens.map((_token, client) => async () => {
      const reply = await refresh(app, tokens[client]!);
      expect(reply.status).toBe(200);
      tokens[client] = reply.body.refresh_token;
    });
    const reads = tokens.map(() => async () => void (await reading.call('GET', '/company')));
    const read = async () => expect((await other.call('GET', '/company')).status).toBe(200);
    const beside = (senders: (() => Promise<void>)[]) => () => readTimesBeside(senders, read, 40);
    await expectNoSlower({ harmless: beside(reads), flood: beside(refreshes) }, 8);
  }, 240_000);

  it.each([
    ['by an unknown client', { client_id: 'app_unknown' }, 'invalid_client', 401],
    ['without a client', { client_id: '' }, 'invalid_request', 400],
    ['without the token', { refresh_token: '' }, 'invalid_request', 400],
    ['for a wider scope', { scope: 'api web' }, 'invalid_scope', 400],
    ['for another scope', { scope: 'web' }, 'invalid_scope', 400],
    ['with an unknown token', { refresh_token: `rt_${'A'.repeat(64)}` }, 'invalid_grant', 400],
    ['with nonsense for a token', { refresh_token: '{"$ne":1}' }, 'invalid_grant', 400],
  ])('a refresh token is not rotated %s', async (_case, changes, error, status) => {
    const tokens = await newTokens(person, app);
    const reply = await refresh(app, tokens.refresh_token, changes);
    expect([reply.status, reply.body]).toEqual([status, oauthError(error)]);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('a refresh token is not rotated by another app, which does not affect its owner', async () => {
    const tokens = await newTokens(person, app);
    const other = await registerApp();
    expect((await refresh(other, tokens.refresh_token)).body).toEqual(oauthError('invalid_grant'));
    expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('a refresh token is not an access token, nor the other way round', async () => {
    const tokens = await newTokens(person, app);
    expect((await useToken(tokens.refresh_token)).status).toBe(401);
    expect((await refresh(app, tokens.access_token)).body).toEqual(oauthError('invalid_grant'));
  });
});
