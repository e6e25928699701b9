import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliverPolicy } from '@nats-io/jetstream';
import { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import { DeviceAuthorizationService } from '@parley/proto/identity/v1/device_authorizations_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { waitUntil } from '@parley/testkit';
import { Secret, TOTP } from 'otpauth';
import { startMailServer, type TestMailServer } from './mail-server.ts';
import { requestTokens, newCode, newPerson, newTokens, PASSWORD, refreshForm, registerApp, signIn } from './person.ts';
import { startIdentity, type TestIdentity } from './start-identity.ts';

let identity: TestIdentity;
let mail: TestMailServer;
beforeAll(async () => {
  mail = await startMailServer();
  identity = await startIdentity({ SMTP_URL: mail.url });
});
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

/** Everything identity keeps, as text; bytes as they are, in base64 and in hex. */
async function everythingStored(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of await identity.db.listCollections().toArray()) {
    for await (const document of identity.db.collection(name).find()) texts.push(JSON.stringify(document));
  }
  return texts.join('\n');
}

/** Every event identity has published. */
async function everythingPublished(): Promise<string> {
  const { broker } = identity;
  const consumer = await broker.jetstream.consumers.get(broker.stream('identity'), {
    deliver_policy: DeliverPolicy.All,
  });
  const texts: string[] = [];
  const messages = await consumer.fetch({ max_messages: 1000, expires: 1000 });
  for await (const message of messages) texts.push(Buffer.from(message.data).toString('latin1'));
  return texts.join('\n');
}

it('no secret is in the database or in an event, in no encoding', async () => {
  const pages = identity.channel.client(SignInService);
  const person = await newPerson(identity);
  const { session, device } = await signIn(identity, person);
  const { apiKey } = await identity.channel
    .client(ApiKeyAdminService)
    .createApiKey({ employeeId: person.id, companyId: person.companyId, name: 'canary' }, identity.operator);
  const app = await registerApp(identity);
  const unused = await newCode(identity, session, app);
  const tokens = await newTokens(identity, session, app);
  const next = await requestTokens(identity.channel, refreshForm(app, tokens.refreshToken));
  if (typeof next === 'string') throw new Error(next);
  const devices = identity.channel.client(DeviceAuthorizationService);
  const { outcome } = await devices.beginDeviceAuthorization({ clientId: 'parley-cli', scope: 'api' });
  if (outcome.case !== 'codes') throw new Error('no device code');
  const { deviceCode, userCode } = outcome.value;
  await devices.enterUserCode({ userCode, session });
  await devices.decideDeviceAuthorization({ userCode, allowed: true, session });
  const ofDevice = await requestTokens(identity.channel, {
    clientId: 'parley-cli',
    grant: { case: 'device', value: { deviceCode } },
  });
  if (typeof ofDevice === 'string') throw new Error(ofDevice);
  const { secret } = await pages.beginTwoFactor({ session });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { recoveryCodes } = await pages.confirmTwoFactor({ code, visitor: { session } });
  const invited = await identity.hire({ invitationPending: true });
  const tokenTo = ({ email }: { email: string }, count = 1) =>
    waitUntil(() => /token=([\w-]+)/.exec(mail.sentTo(email)[count - 1] ?? '')?.[1], { what: 'the e-mail' });
  const invitation = await tokenTo(invited);
  await pages.requestPasswordReset({ email: person.email });
  const endedReset = await tokenTo(person);
  await pages.requestPasswordReset({ email: person.email });
  const spentReset = await tokenTo(person, 2);
  const resetPassword = 'a password set by a link';
  expect((await pages.resetPassword({ token: spentReset, password: resetPassword })).reset).toBe(true);
  await waitUntil(() => mail.sentTo(person.email).length === 3, { what: 'the notification' });
  await pages.requestPasswordReset({ email: person.email });
  const openReset = await tokenTo(person, 4);

  const canaries = {
    password: PASSWORD,
    session,
    device,
    apiKey,
    code: unused.grant?.case === 'code' ? (unused.grant.value.code ?? '') : '',
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    nextAccessToken: next.accessToken,
    nextRefreshToken: next.refreshToken,
    deviceCode,
    userCode,
    deviceAccessToken: ofDevice.accessToken,
    deviceRefreshToken: ofDevice.refreshToken,
    twoFactorSecret: secret,
    invitation,
    endedReset,
    spentReset,
    openReset,
    resetPassword,
    ...Object.fromEntries(recoveryCodes.map((recoveryCode, n) => [`recoveryCode${n}`, recoveryCode])),
  };
  const haystack = `${await everythingStored()}\n${await everythingPublished()}`;
  // The search finds what is there: ids and digests are.
  expect(haystack).toContain(person.id);
  expect(haystack).toContain('identity.employee.signed_in');
  for (const [name, canary] of Object.entries(canaries)) {
    expect([name, canary.length > 7]).toEqual([name, true]);
    for (const form of encodings(canary)) expect([name, haystack.includes(form)]).toEqual([name, false]);
  }
});

/** The secret as it is, without its prefix or dashes, and as it would look inside encoded bytes. */
function encodings(canary: string): string[] {
  const bare = canary.replace(/^[a-z]{2,3}_/, '');
  const plain = [canary, bare, canary.replaceAll('-', '')];
  // Base64 of a text depends on where in a block it starts; the middle is the same for each of the three offsets.
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(bare)])
      .toString('base64')
      .slice(4, -4),
  );
  return [...plain, Buffer.from(bare).toString('hex'), ...inBase64.filter((text) => text.length >= 8)];
}
