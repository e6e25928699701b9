import { encryptor } from '@parley/secrets';
import { ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import { ConnectedAppService } from '@parley/proto/identity/v1/oauth_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { asEmployee } from '@parley/testkit/service';
import { missingFields, RELEASE_KEY, RELEASE_WRITES, releaseDocuments, restoreRelease } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { employeeOfSession, trySignIn } from './person.ts';
import { startIdentity, type TestIdentity } from './start-identity.ts';

/** Of `e2e/identity/people.ts`. */
const PASSWORD = 'correct horse battery staple';
const released = releaseDocuments('identity');
const owner = released['accounts']?.find(({ twoFactor }) => twoFactor !== null);
const [id, companyId] = [String(owner?.employeeId), String(owner?.companyId)];

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity({ ENCRYPTION_KEY: RELEASE_KEY });
  identity.directory.addEmployee({ id, companyId, name: 'Olivia Owner', email: String(owner?.email) });
});
afterAll(() => identity?.stop());

describe.each(RELEASE_WRITES)('an account that the last release stored %s', (_, when) => {
  const me = asEmployee(companyId, id);

  beforeAll(async () => {
    await identity.stopService();
    await restoreRelease(identity.db, released, when);
    await identity.restart();
  });

  it('an account that the last release stored signs in with its password and second factor, and keeps every field that the release reads', async () => {
    const half = await trySignIn(identity, String(owner?.email), PASSWORD);
    if (half.case !== 'opened') throw new Error('not signed in');
    expect(half.value.stage).toBe(SessionStage.ONE_TIME_CODE);
    const secret = encryptor(RELEASE_KEY).decrypt(owner?.twoFactor.secret, `account/${owner?._id}/two-factor`);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const visitor = { address: '192.0.2.1', userAgent: 'test', session: half.value.session };
    const { outcome } = await identity.channel.client(SignInService).enterOneTimeCode({ code, visitor });
    if (outcome.case !== 'opened') throw new Error('the second factor was refused');
    expect(await employeeOfSession(identity, outcome.value.session)).toBe(id);
    expect(await missingFields(identity.db, released)).toEqual([]);
  });

  it('an account that the last release stored has its API keys, sessions and connected apps, which can be taken back', async () => {
    const keys = identity.channel.client(ApiKeyService);
    const own = released['api_keys']?.filter(({ employeeId }) => employeeId === id) ?? [];
    const { apiKeys } = await keys.listOwnApiKeys({}, me);
    expect(apiKeys.map((key) => key.id)).toEqual(expect.arrayContaining(own.map(({ _id }) => _id)));
    await keys.revokeOwnApiKey({ id: own[0]?._id ?? '' }, me);
    const apps = identity.channel.client(ConnectedAppService);
    const { apps: connected } = await apps.listConnectedApps({}, me);
    expect(connected).toEqual([expect.objectContaining({ clientName: 'Calendar' })]);
    await apps.revokeConnectedApp({ clientId: connected[0]!.clientId }, me);
    expect((await apps.listConnectedApps({}, me)).apps).toEqual([]);
  });
});
