import { beforeAll, describe, expect, it } from '@jest/globals';
import { send, sharedStack } from '../support/api.ts';
import { type App, newTokens, refresh, registerApp, tokenRequest, useToken } from './app.ts';
import { oauthError } from './oauth-error.ts';
import { newPerson, type Person, signIn } from './people.ts';

let person: Person;
let app: App;
beforeAll(async () => {
  person = await newPerson();
  app = await registerApp();
  await signIn(person);
});

describe('revocation', () => {
  const revoke = (fields: Record<string, string | string[]>) => tokenRequest(fields, '/oauth/revoke');

  it('revocation of the refresh token ends the grant', async () => {
    const tokens = await newTokens(person, app);
    expect((await revoke({ token: tokens.refresh_token, client_id: app.clientId })).status).toBe(200);
    expect((await useToken(tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).body).toEqual(oauthError('invalid_grant'));
  });

  it('revocation of the access token leaves the refresh token', async () => {
    const tokens = await newTokens(person, app);
    expect((await useToken(tokens.access_token)).status).toBe(200);
    expect((await revoke({ token: tokens.access_token, client_id: app.clientId })).status).toBe(200);
    const refused = await useToken(tokens.access_token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('revocation is 200 whatever is sent, and does nothing for another app', async () => {
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
    const bodies: [type: string, body: string | Uint8Array][] = [
      ['application/json', '{"token":'],
      ['application/json', '[]'],
      ['text/plain', 'token=x'],
      ['application/x-www-form-urlencoded', new Uint8Array([0x74, 0x3d, 0xff, 0x00])],
      ['application/x-www-form-urlencoded', 'token=%00%FF&token[a]=b'],
      ['application/x-www-form-urlencoded', `token=${'x'.repeat(100_000)}`],
      ['application/x-www-form-urlencoded', 'token&'.repeat(50_000)],
    ];
    for (const [type, body] of bodies) {
      const reply = await send('POST', `${sharedStack().base_url}/oauth/revoke`, {
        headers: { 'Content-Type': type },
        body,
      });
      expect([type, reply.status, reply.body]).toEqual([type, 200, {}]);
    }
    expect((await useToken(tokens.access_token)).status).toBe(200);
  });

  it('revoking a connected app ends all that it was allowed', async () => {
    const owner = await newPerson();
    await signIn(owner);
    const [one, two] = [await newTokens(owner, app), await newTokens(owner, app)];
    const { body: apps } = await owner.account('GET', '/connected_apps');
    expect(apps).toMatchObject([{ name: 'Calendar' }]);
    expect((await owner.account('DELETE', `/connected_apps/${apps[0].client_id}`)).status).toBe(204);
    expect((await owner.account('GET', '/connected_apps')).body).toEqual([]);
    expect([(await useToken(one.access_token)).status, (await useToken(two.access_token)).status]).toEqual([401, 401]);
  });
});
