import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliverPolicy } from '@nats-io/jetstream';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { DeviceAuthorizationService, DeviceRefusalReason } from '@parley/proto/identity/v1/device_authorizations_pb';
import {
  ConnectedAppService,
  OAuthClientAdminService,
  OAuthService,
  type TokenSet,
} from '@parley/proto/identity/v1/oauth_pb';
import { SignInPolicyService } from '@parley/proto/identity/v1/sign_in_policies_pb';
import type { Channel } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { asEmployee, withRole } from '@parley/testkit/service';
import { employeeOfToken, newPerson, refreshForm, registerApp, requestTokens, signIn } from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

const CLI = 'parley-cli';

let identity: TestIdentity;
beforeAll(async () => void (identity = await startIdentity()));
afterEach(() => identity.moveClock((ahead = 0)));
afterAll(() => identity.stop());

let ahead = 0;
const advance = (secs: number) => identity.moveClock((ahead += secs));

interface Codes {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Every program asks from an address of its own, so that tests do not share limits. */
let addresses = 0;
const newAddress = () => `198.51.100.${(addresses += 1)}`;

async function begin(clientId = CLI, address = newAddress()): Promise<Codes | string> {
  const request = { clientId, scope: 'api', address, network: address, userAgent: 'parley/1.0' };
  const { outcome } = await identity.channel.client(DeviceAuthorizationService).beginDeviceAuthorization(request);
  if (outcome.case === 'codes') return outcome.value;
  return outcome.case === 'error' ? outcome.value.error : 'nothing';
}

async function newCodes(): Promise<Codes> {
  const codes = await begin();
  if (typeof codes === 'string') throw new Error(codes);
  return codes;
}

async function enter(
  session: string,
  userCode: string,
  address = newAddress(),
  { channel }: { channel: Channel } = identity,
) {
  const { outcome } = await channel.client(DeviceAuthorizationService).enterUserCode({ userCode, session, address });
  return outcome.case === 'ask' ? outcome.value : outcome.case === 'refusal' ? outcome.value.reason : 'nothing';
}

async function decide(session: string, userCode: string, allowed = true) {
  const request = { userCode, allowed, session };
  const { outcome } = await identity.channel.client(DeviceAuthorizationService).decideDeviceAuthorization(request);
  return outcome.case === 'decided' ? 'decided' : outcome.case === 'refusal' ? outcome.value.reason : 'nothing';
}

const poll = (deviceCode: string, clientId = CLI, channel = identity.channel) =>
  requestTokens(channel, { clientId, grant: { case: 'device', value: { deviceCode } } });

const isTokens = (answer: TokenSet | string): answer is TokenSet => typeof answer !== 'string';

async function tokensOf(deviceCode: string): Promise<TokenSet> {
  const answer = await poll(deviceCode);
  if (!isTokens(answer)) throw new Error(answer);
  return answer;
}

async function newBrowser(details: Partial<TestEmployee> = {}): Promise<{ person: TestEmployee; session: string }> {
  const person = await newPerson(identity, details);
  return { person, session: (await signIn(identity, person)).session };
}

async function newAllowed(session: string): Promise<Codes> {
  const codes = await newCodes();
  await enter(session, codes.userCode);
  expect(await decide(session, codes.userCode)).toBe('decided');
  return codes;
}

const stored = (deviceCode: string) =>
  identity.db.collection('device_authorizations').findOne({ deviceCodeDigest: digest(deviceCode) });

describe('a program without a browser', () => {
  it('a program without a browser gets the tokens of the employee who allowed it', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode, userCode } = await newCodes();
    expect(await poll(deviceCode)).toBe('authorization_pending');
    expect(await enter(session, userCode.toLowerCase().replace('-', ''))).toMatchObject({
      clientName: 'Parley command line',
      scope: 'api',
      program: 'parley/1.0',
      address: expect.stringMatching(/^198\.51\.100\./),
    });
    expect(await decide(session, userCode)).toBe('decided');
    const tokens = await tokensOf(deviceCode);
    expect(tokens).toMatchObject({ expiresInSecs: 3600, scope: 'api' });
    expect(await employeeOfToken(identity, tokens.accessToken)).toBe(person.id);
    const next = await requestTokens(identity.channel, refreshForm(CLI, tokens.refreshToken));
    expect(isTokens(next) && (await employeeOfToken(identity, next.accessToken))).toBe(person.id);
    expect(await poll(deviceCode)).toBe('invalid_grant');
    expect(await employeeOfToken(identity, tokens.accessToken)).toBe(person.id);
    const { apps } = await identity.channel
      .client(ConnectedAppService)
      .listConnectedApps({}, asEmployee(person.companyId, person.id));
    expect(apps).toMatchObject([{ clientId: CLI, clientName: 'Parley command line' }]);
  });

  it('a program without a browser that nobody lets in is refused: unknown clients, registered ones, the operator’s without the grant', async () => {
    const admin = identity.channel.client(OAuthClientAdminService);
    const issue = async (deviceGrant: boolean) => {
      const metadata = { clientName: 'App', redirectUris: deviceGrant ? [] : ['https://app.example/cb'], deviceGrant };
      return (await admin.createOAuthClient(metadata, identity.operator)).client;
    };
    const [without, withGrant] = [await issue(false), await issue(true)];
    expect([without?.deviceGrant, withGrant?.deviceGrant]).toEqual([false, true]);
    for (const clientId of [await registerApp(identity), without!.clientId]) {
      expect(await begin(clientId)).toBe('unauthorized_client');
      expect(await poll('dc_unknown', clientId)).toBe('unauthorized_client');
    }
    expect(await begin('app_unknown')).toBe('invalid_client');
    expect(await poll('dc_unknown', 'app_unknown')).toBe('invalid_client');
    expect(await poll('dc_unknown')).toBe('invalid_grant');
    expect(typeof (await begin(withGrant!.clientId))).toBe('object');
    const { deviceCode } = await newCodes();
    expect(await poll(deviceCode, withGrant!.clientId)).toBe('invalid_grant');
    await expect(admin.createOAuthClient({ clientName: 'App' }, identity.operator)).rejects.toThrow('redirect_uris');
  });

  it('a program without a browser gets its tokens once, with fifty requests at once through two replicas', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    const second = await identity.secondReplica();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => poll(deviceCode, CLI, n % 2 === 0 ? identity.channel : second)),
    );
    const [tokens, ...more] = answers.filter(isTokens);
    expect(more).toEqual([]);
    expect(new Set(answers.filter((answer) => !isTokens(answer)))).toEqual(new Set(['invalid_grant']));
    expect(await employeeOfToken(identity, tokens!.accessToken)).toBe(person.id);
    expect(await identity.db.collection('grants').countDocuments({ employeeId: person.id })).toBe(1);
  });

  it('a program without a browser that asks too often is slowed down, by the product’s clock', async () => {
    const { deviceCode } = await newCodes();
    const answers: unknown[] = [];
    for (const secs of [0, 1, 7, 15, 15]) {
      await advance(secs);
      answers.push(await poll(deviceCode));
    }
    expect(answers).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
      'authorization_pending',
    ]);
  });

  it('a program without a browser is told that ten minutes are over, also when it was allowed', async () => {
    const { session } = await newBrowser();
    const [open, allowed] = [await newCodes(), await newAllowed(session)];
    await advance(600);
    expect([await poll(open.deviceCode), await poll(allowed.deviceCode)]).toEqual(['expired_token', 'expired_token']);
    expect(await enter(session, open.userCode)).toBe(DeviceRefusalReason.NOT_VALID);
  });

  it('a program without a browser goes on after a restart of identity between any two steps', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode, userCode } = await newCodes();
    await identity.restart();
    await enter(session, userCode);
    await identity.restart();
    expect(await decide(session, userCode)).toBe('decided');
    await identity.restart();
    const { accessToken } = await tokensOf(deviceCode);
    await identity.restart();
    expect(await employeeOfToken(identity, accessToken)).toBe(person.id);
  });

  it('a program without a browser begins anew when identity is killed between the redemption and the grant', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    // What the first of the two writes leaves.
    const redeemed = { $set: { progress: { step: 'redeemed' } }, $inc: { _version: 1 } };
    await identity.db
      .collection('device_authorizations')
      .updateOne({ deviceCodeDigest: digest(deviceCode) }, redeemed as never);
    expect(await poll(deviceCode)).toBe('invalid_grant');
    expect(await identity.db.collection('grants').countDocuments({ employeeId: person.id })).toBe(0);
  });

  it('a device code is no authorization code', async () => {
    const { session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    const { accessToken } = await tokensOf(deviceCode);
    const asCode = { code: deviceCode, redirectUri: '', codeVerifier: 'v'.repeat(43) };
    expect(await requestTokens(identity.channel, { clientId: CLI, grant: { case: 'code', value: asCode } })).toBe(
      'invalid_grant',
    );
    expect(await employeeOfToken(identity, accessToken)).toBeDefined();
  });

  it('requests of one address are limited', async () => {
    const address = newAddress();
    const answers = await Promise.all(Array.from({ length: 310 }, () => begin(CLI, address)));
    expect(answers.filter((answer) => answer === 'temporarily_unavailable')).toHaveLength(10);
  });
});

describe('a user code', () => {
  it('a user code belongs to the session that entered it first, also when two enter it at once', async () => {
    const [one, two] = [await newBrowser(), await newBrowser()];
    const second = await identity.secondReplica();
    const { deviceCode, userCode } = await newCodes();
    const answers = await Promise.all([
      enter(one.session, userCode),
      enter(two.session, userCode, newAddress(), { channel: second }),
    ]);
    expect(answers.filter((answer) => answer === DeviceRefusalReason.NOT_VALID)).toHaveLength(1);
    const [winner, loser] = typeof answers[0] === 'object' ? [one, two] : [two, one];
    expect(await decide(loser.session, userCode)).toBe(DeviceRefusalReason.NOT_VALID);
    expect(await decide(loser.session, userCode, false)).toBe(DeviceRefusalReason.NOT_VALID);
    // Another session of the same employee is another one.
    const again = await signIn(identity, winner.person);
    expect(await enter(again.session, userCode)).toBe(DeviceRefusalReason.NOT_VALID);
    expect(await enter(winner.session, userCode)).toMatchObject({ clientName: 'Parley command line' });
    expect(await decide(winner.session, userCode)).toBe('decided');
    expect(await employeeOfToken(identity, (await tokensOf(deviceCode)).accessToken)).toBe(winner.person.id);
  });

  it('a user code works once, allowed or denied', async () => {
    const { session } = await newBrowser();
    for (const allowed of [true, false]) {
      const { deviceCode, userCode } = await newCodes();
      expect(await decide(session, userCode, allowed)).toBe(DeviceRefusalReason.NOT_VALID);
      await enter(session, userCode);
      const answers = await Promise.all([true, false].map(() => decide(session, userCode, allowed)));
      expect(answers.toSorted()).toEqual([DeviceRefusalReason.NOT_VALID, 'decided']);
      expect(await enter(session, userCode)).toBe(DeviceRefusalReason.NOT_VALID);
      const answer = await poll(deviceCode);
      expect(isTokens(answer) ? 'tokens' : answer).toBe(allowed ? 'tokens' : 'access_denied');
    }
  });

  it('a user code can be guessed five times in a session, and right ones in between win nothing', async () => {
    const { session } = await newBrowser();
    const codes = await newCodes();
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await enter(session, guess % 2 === 0 ? 'BBBB-BBBB' : 'not a code')).toBe(DeviceRefusalReason.NOT_VALID);
      if (guess < 4) expect(await enter(session, codes.userCode)).toMatchObject({ scope: 'api' });
    }
    expect(await enter(session, codes.userCode)).toBe(DeviceRefusalReason.THROTTLED);
    // What was entered before can be decided.
    expect(await decide(session, codes.userCode)).toBe('decided');
    await advance(15 * 60);
    expect(await enter(session, (await newCodes()).userCode)).toMatchObject({ scope: 'api' });
  });

  it('a user code can be guessed twenty times from an address, however many sessions guess at once', async () => {
    const address = newAddress();
    const browsers = await Promise.all(Array.from({ length: 6 }, () => newBrowser()));
    const answers = await Promise.all(
      browsers.flatMap(({ session }) => Array.from({ length: 5 }, () => enter(session, 'BBBB-BBBB', address))),
    );
    expect(answers.filter((answer) => answer === DeviceRefusalReason.NOT_VALID).length).toBeLessThanOrEqual(20);
    const fresh = await newBrowser();
    const { userCode } = await newCodes();
    expect(await enter(fresh.session, userCode, address)).toBe(DeviceRefusalReason.THROTTLED);
    expect(await enter(fresh.session, userCode)).toMatchObject({ scope: 'api' });
  });

  it('a user code needs a complete sign-in', async () => {
    const { userCode } = await newCodes();
    const { session, person } = await newBrowser();
    await identity.requireTwoFactor(person.companyId, true);
    for (const given of ['', 'ss_unknown', session]) {
      expect(await enter(given, userCode)).toBe(DeviceRefusalReason.SIGNED_OUT);
      expect(await decide(given, userCode)).toBe(DeviceRefusalReason.SIGNED_OUT);
    }
  });
});

describe('a company', () => {
  const policies = () => identity.channel.client(SignInPolicyService);

  it('a company turns the device grant off: what is entered, allowed or in between is denied for good', async () => {
    const { person, session } = await newBrowser();
    const owner = asEmployee(person.companyId, person.id);
    const [entered, allowed, later] = [await newCodes(), await newAllowed(session), await newCodes()];
    await enter(session, entered.userCode);
    await policies().updateSignInPolicy({ deviceSignIn: false }, owner);
    expect(await identity.channel.client(DeviceAuthorizationService).checkDeviceSignIn({ session })).toMatchObject({
      allowed: false,
    });
    expect([await poll(entered.deviceCode), await poll(allowed.deviceCode)]).toEqual([
      'access_denied',
      'access_denied',
    ]);
    expect(await enter(session, later.userCode)).toBe(DeviceRefusalReason.TURNED_OFF);
    expect(await poll(later.deviceCode)).toBe('access_denied');
    await policies().updateSignInPolicy({ deviceSignIn: true }, owner);
    expect(await poll(allowed.deviceCode)).toBe('access_denied');
    await tokensOf((await newAllowed(session)).deviceCode);
    expect(await identity.db.collection('grants').countDocuments({ employeeId: person.id })).toBe(1);
  });

  it('a company has its policy changed by owners only, and by an app never', async () => {
    const { person } = await newBrowser();
    const as = (role: 'member' | 'admin' | 'owner', more = {}) => {
      const options = withRole(asEmployee(person.companyId, person.id), role);
      return { ...options, as: { ...options.as, ...more } };
    };
    await expect(policies().getSignInPolicy({}, as('member'))).rejects.toThrow('forbidden');
    expect((await policies().getSignInPolicy({}, as('admin'))).policy).toMatchObject({ deviceSignIn: true });
    const off = { deviceSignIn: false };
    for (const caller of [as('member'), as('admin'), as('owner', { credentialType: 'oauth_token' })])
      await expect(policies().updateSignInPolicy(off, caller)).rejects.toThrow('forbidden');
    const changed = await policies().updateSignInPolicy(off, as('owner'));
    expect(changed.policy?.changedAt).toBeDefined();
    expect(await policies().updateSignInPolicy({}, as('owner'))).toEqual(changed);
  });
});

describe('what is left', () => {
  it('an employee who is deleted after allowing a program gives it nothing', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    await identity.dismiss(person);
    await waitUntil(
      async () => !(await identity.channel.client(CredentialService).verifySession({ session })).principal,
      { what: 'the end of the session' },
    );
    expect(await poll(deviceCode)).toBe('access_denied');
    const own = { employeeId: person.id };
    await waitUntil(async () => (await identity.db.collection('grants').countDocuments(own)) === 0, {
      what: 'no grant',
    });
  });

  it('an employee who is deactivated after allowing a program gives it nothing, also when reactivated', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    const refresh = () => identity.as('directory').client(CredentialService).refreshEmployee({ employeeId: person.id });
    person.deactivatedAt = new Date(Date.now() + ahead * 1000);
    person.revision += 1n;
    await refresh();
    expect(await poll(deviceCode)).toBe('access_denied');
    delete person.deactivatedAt;
    person.revision += 1n;
    await refresh();
    expect(await poll(deviceCode)).toBe('invalid_grant');
  });

  it('a program that is revoked cannot use its device code again', async () => {
    const { session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    const { refreshToken } = await tokensOf(deviceCode);
    await identity.channel.client(OAuthService).revokeToken({ token: refreshToken, clientId: CLI });
    expect(await poll(deviceCode)).toBe('invalid_grant');
  });

  it('codes are stored as digests, and who allowed a program only until it has its tokens', async () => {
    const { person, session } = await newBrowser({ name: 'Canary Person' });
    const { deviceCode, userCode } = await newAllowed(session);
    const everything = async () => JSON.stringify(await stored(deviceCode));
    expect(await everything()).toContain(person.id);
    await tokensOf(deviceCode);
    for (const secret of [deviceCode, userCode, userCode.replace('-', ''), 'Canary Person', person.id])
      expect(await everything()).not.toContain(secret);
  });

  it('a grant by a device code is in the audit log as one, by the employee from their browser', async () => {
    const { person, session } = await newBrowser();
    const { deviceCode } = await newAllowed(session);
    await tokensOf(deviceCode);
    const entry = await waitUntil(() => auditOf(person.id, 'connected_app.created'), { what: 'the entry' });
    expect(entry).toContain('device_code');
    expect(entry).toContain('session');
  });
});

/** The published event of an employee with an entry of this type, as text. */
async function auditOf(employeeId: string, type: string): Promise<string | undefined> {
  const { broker } = identity;
  const options = { deliver_policy: DeliverPolicy.All };
  const consumer = await broker.jetstream.consumers.get(broker.stream('identity'), options);
  const messages = await consumer.fetch({ max_messages: 10_000, expires: 1000 });
  for await (const { data } of messages) {
    const text = Buffer.from(data).toString('latin1');
    if (text.includes(employeeId) && text.includes(type)) return text;
  }
  return undefined;
}
