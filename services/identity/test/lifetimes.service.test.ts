import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenSet } from '@parley/proto/identity/v1/oauth_pb';
import {
  requestTokens,
  newCode,
  newPerson,
  newTokens,
  PASSWORD,
  refreshForm,
  registerApp,
  signIn,
  trySignIn,
  employeeOfToken,
  employeeOfSession,
} from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

const MINUTE = 60;
const DAY = 24 * 3600;

let identity: TestIdentity;
let person: TestEmployee;
let app: string;
let session: string;
beforeAll(async () => {
  identity = await startIdentity();
  person = await newPerson(identity);
});
afterEach(() => identity.moveClock(0));
afterAll(async () => {
  await identity.stop();
});

async function fresh(): Promise<TokenSet> {
  app = await registerApp(identity);
  ({ session } = await signIn(identity, person));
  return newTokens(identity, session, app);
}
const refresh = (token: string) => requestTokens(identity.channel, refreshForm(app, token));
const refreshed = async (token: string) => (await refresh(token)) as TokenSet;

describe('lifetimes, by the clock that is passed in', () => {
  it('a code lasts ten minutes', async () => {
    await fresh();
    const [early, late] = [await newCode(identity, session, app), await newCode(identity, session, app)];
    await identity.moveClock(9 * MINUTE);
    expect(await requestTokens(identity.channel, early)).toMatchObject({ scope: 'api' });
    await identity.moveClock(10 * MINUTE + 1);
    expect(await requestTokens(identity.channel, late)).toBe('invalid_grant');
  });

  it('an access token lasts an hour, also after its grant was refreshed', async () => {
    const tokens = await fresh();
    await identity.moveClock(59 * MINUTE);
    const next = await refreshed(tokens.refreshToken);
    expect(await employeeOfToken(identity, tokens.accessToken)).toBe(person.id);
    await identity.moveClock(60 * MINUTE + 1);
    expect(await employeeOfToken(identity, tokens.accessToken)).toBeUndefined();
    expect(await employeeOfToken(identity, next.accessToken)).toBe(person.id);
  });

  it('a refresh token lasts 30 days from its issue, and each rotation gives 30 more', async () => {
    const tokens = await fresh();
    await identity.moveClock(29 * DAY);
    const next = await refreshed(tokens.refreshToken);
    await identity.moveClock(58 * DAY);
    const last = await refreshed(next.refreshToken);
    await identity.moveClock(88 * DAY + 1);
    expect(await refresh(last.refreshToken)).toBe('invalid_grant');
  });

  it('a spent refresh token is a mistake for 30 seconds and a theft after that', async () => {
    const first = await fresh();
    const second = await refreshed(first.refreshToken);
    await identity.moveClock(20);
    expect(await refresh(first.refreshToken)).toBe('invalid_grant');
    expect(await employeeOfToken(identity, second.accessToken)).toBe(person.id);
    await identity.moveClock(40);
    expect(await refresh(first.refreshToken)).toBe('invalid_grant');
    expect(await employeeOfToken(identity, second.accessToken)).toBeUndefined();
    expect(await refresh(second.refreshToken)).toBe('invalid_grant');
  });

  it('a token spent long ago and many rotations back still gives the thief away', async () => {
    const first = await fresh();
    let last = first;
    for (let n = 1; n <= 5; n++) {
      await identity.moveClock(n * 50 * MINUTE);
      last = await refreshed(last.refreshToken);
    }
    expect(await refresh(first.refreshToken)).toBe('invalid_grant');
    expect(await refresh(last.refreshToken)).toBe('invalid_grant');
  });

  it('an app without a grant is deleted after seven days, any other is not', async () => {
    const unused = await registerApp(identity);
    const tokens = await fresh();
    const asUnused = (clientId: string) => requestTokens(identity.channel, refreshForm(clientId, tokens.refreshToken));
    await identity.moveClock(7 * DAY - 60);
    expect(await asUnused(unused)).toBe('invalid_grant');
    await identity.moveClock(7 * DAY + 60);
    expect(await asUnused(unused)).toBe('invalid_client');
    expect(await refresh(tokens.refreshToken)).toMatchObject({ scope: 'api' });
  });

  it('a session lasts 30 days', async () => {
    await fresh();
    await identity.moveClock(30 * DAY - 60);
    expect(await employeeOfSession(identity, session)).toBe(person.id);
    await identity.moveClock(30 * DAY + 60);
    expect(await employeeOfSession(identity, session)).toBeUndefined();
  });

  it('guesses are counted over a quarter of an hour, and moving the clock back blocks no attempt', async () => {
    const victim = await newPerson(identity);
    const guess = async () => (await trySignIn(identity, victim.email, 'a wrong guess')).value;
    await identity.moveClock(DAY);
    for (let n = 0; n < 10; n++) expect(await guess()).toMatchObject({ throttled: false });
    expect(await guess()).toMatchObject({ throttled: true });
    await identity.moveClock(DAY + 14 * MINUTE);
    expect(await guess()).toMatchObject({ throttled: true });
    await identity.moveClock(DAY + 15 * MINUTE + 5);
    expect(await guess()).toMatchObject({ throttled: false });
    await identity.moveClock(0);
    expect((await trySignIn(identity, victim.email, PASSWORD)).case).toBe('opened');
  });
});
