import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAuthService, type TokenSet } from '@parley/proto/identity/v1/oauth_pb';
import { digest } from '@parley/secrets';
import { waitUntil, writeCount } from '@parley/testkit';
import {
  requestTokens,
  newCode,
  newPerson,
  newTokens,
  refreshForm,
  registerApp,
  signIn,
  employeeOfToken,
  employeeOfSession,
} from './person.ts';
import { startIdentity, type TestIdentity } from './start-identity.ts';

let identity: TestIdentity;
let app: string;
beforeAll(async () => {
  identity = await startIdentity();
  app = await registerApp(identity);
});
afterAll(() => identity.stop());

const isTokens = (answer: TokenSet | string): answer is TokenSet => typeof answer !== 'string';

describe('a grant', () => {
  it('a grant redeemed through two replicas at once is redeemed once', async () => {
    const { session } = await signIn(identity, await newPerson(identity));
    const form = await newCode(identity, session, app);
    const second = await identity.secondReplica();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => requestTokens(n % 2 === 0 ? identity.channel : second, form)),
    );
    expect(answers.filter(isTokens)).toHaveLength(1);
    expect(new Set(answers.filter((answer) => !isTokens(answer)))).toEqual(new Set(['invalid_grant']));
  });

  it('a grant that is refreshed a hundred times at once through two replicas gives all requests the same tokens', async () => {
    const { session } = await signIn(identity, await newPerson(identity));
    const second = await identity.secondReplica();
    const { refreshToken } = await newTokens(identity, session, app);
    // Responses are shared for five seconds: the first connection of a replica may take as long on a busy machine.
    expect(await requestTokens(second, refreshForm(app, 'unknown'))).toBe('invalid_grant');
    const form = refreshForm(app, refreshToken);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => requestTokens(n % 2 === 0 ? identity.channel : second, form)),
    );
    expect(answers.filter(isTokens)).toHaveLength(100);
    const pairs = answers.filter(isTokens).map((tokens) => `${tokens.accessToken} ${tokens.refreshToken}`);
    expect(new Set(pairs).size).toBe(1);
    const [successor = ''] = answers.filter(isTokens).map((tokens) => tokens.refreshToken);
    for (const channel of [identity.channel, second])
      expect(await requestTokens(channel, refreshForm(app, refreshToken))).toBe('invalid_grant');
    expect(isTokens(await requestTokens(second, refreshForm(app, successor)))).toBe(true);
  });

  it('a grant that is refreshed by one request shares the answer with those that were sent to another replica before it was answered', async () => {
    const { session } = await signIn(identity, await newPerson(identity));
    const second = await identity.secondReplica();
    const { refreshToken } = await newTokens(identity, session, app);
    const first = await requestTokens(identity.channel, refreshForm(app, refreshToken));
    if (!isTokens(first)) throw new Error(first);
    const decidedAt = timestampDate(first.createdAt!).getTime();
    const answers: (TokenSet | string)[] = [];
    // One after the other: those at the same time would share one answer.
    for (const sentAt of [decidedAt - 100, Date.now()])
      answers.push(await requestTokens(second, refreshForm(app, refreshToken, new Date(sentAt))));
    const same = expect.objectContaining({ accessToken: first.accessToken, refreshToken: first.refreshToken });
    expect(answers).toEqual([same, 'invalid_grant']);
  });

  it('a grant that is refreshed by one request has its answer kept encrypted, and only for seconds', async () => {
    const { session } = await signIn(identity, await newPerson(identity));
    const { refreshToken } = await newTokens(identity, session, app);
    const next = await requestTokens(identity.channel, refreshForm(app, refreshToken));
    if (!isTokens(next)) throw new Error(next);
    expect(await requestTokens(identity.channel, refreshForm(app, refreshToken))).toBe('invalid_grant');
    const stored = () => identity.db.collection('grants').findOne({ 'accessTokens.digest': digest(next.accessToken) });
    expect((await stored())?.rotationReplay).toHaveProperty('encrypted');
    expect(JSON.stringify(await stored())).not.toContain(next.refreshToken);
    await waitUntil(async () => (await stored())?.rotationReplay === undefined, {
      what: 'the removal of the answer',
      timeoutMs: 15_000,
    });
  });

  it('a grant records when it was last used, with one write a minute', async () => {
    const { session } = await signIn(identity, await newPerson(identity));
    const { accessToken } = await newTokens(identity, session, app);
    const grant = { 'accessTokens.digest': digest(accessToken) };
    const stored = () => identity.db.collection('grants').findOne(grant);
    const writes = await writeCount(identity.db, 'grants', grant);
    expect((await stored())?.lastUsedAt).toBeNull();
    for (let use = 0; use < 20; use += 1) await employeeOfToken(identity, accessToken);
    await waitUntil(async () => (await stored())?.lastUsedAt instanceof Date, { what: 'the last use' });
    expect(await writeCount(identity.db, 'grants', grant)).toBe(writes + 1);
  });

  it('a grant is over at once when its employee is deleted, and so are sessions and devices', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const tokens = await newTokens(identity, session, app);
    const unredeemed = await newCode(identity, session, app);
    await identity.dismiss(person);
    await waitUntil(async () => !(await employeeOfToken(identity, tokens.accessToken)), {
      what: 'the end of the token',
    });
    expect(await employeeOfSession(identity, session)).toBeUndefined();
    await waitUntil(async () => (await requestTokens(identity.channel, unredeemed)) === 'invalid_grant', {
      what: 'the end of the code',
    });
    await expect(newCode(identity, session, app)).rejects.toThrow('signedOut');
    const whose = { employeeId: person.id };
    await waitUntil(
      async () => {
        const left = await Promise.all(
          ['grants', 'sessions', 'devices', 'api_keys'].map((name) =>
            identity.db.collection(name).countDocuments(whose),
          ),
        );
        return left.every((count) => count === 0);
      },
      { what: 'all credentials of the employee to be removed' },
    );
  });

  it('a grant survives a restart of identity between any two steps', async () => {
    const person = await newPerson(identity);
    const clientId = await registerApp(identity);
    await identity.restart();
    const { session } = await signIn(identity, person);
    await identity.restart();
    const form = await newCode(identity, session, clientId);
    await identity.restart();
    const tokens = await requestTokens(identity.channel, form);
    if (!isTokens(tokens)) throw new Error(tokens);
    await identity.restart();
    const next = await requestTokens(identity.channel, refreshForm(clientId, tokens.refreshToken));
    if (!isTokens(next)) throw new Error(next);
    await identity.restart();
    expect(await employeeOfToken(identity, next.accessToken)).toBe(person.id);
    await identity.channel.client(OAuthService).revokeToken({ token: next.refreshToken, clientId });
    await identity.restart();
    expect(await employeeOfToken(identity, next.accessToken)).toBeUndefined();
    expect(await employeeOfSession(identity, session)).toBe(person.id);
  });
});
