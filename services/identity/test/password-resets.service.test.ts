import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { Secret, TOTP } from 'otpauth';
import { startMailServer, type TestMailServer } from './mail-server.ts';
import {
  newPerson,
  newTokens,
  PASSWORD,
  registerApp,
  signIn,
  trySignIn,
  employeeOfToken,
  employeeOfSession,
} from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

const MINUTE = 60;
const DAY = 24 * 3600;
const NEW_PASSWORD = 'another good password';

let mail: TestMailServer;
let identity: TestIdentity;
beforeAll(async () => {
  mail = await startMailServer();
  identity = await startIdentity({ SMTP_URL: mail.url });
});
afterEach(async () => {
  mail.refuse(false);
  await identity.moveClock(0);
});
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

const pages = () => identity.channel.client(SignInService);
let clients = 0;
/** Each request has another address, so that only the limit per person applies. */
const request = (email: string, visitor = {}) =>
  pages().requestPasswordReset({ email, visitor: { address: `198.51.100.${(clients += 1)}`, ...visitor } });
const reset = async (token: string, password = NEW_PASSWORD) =>
  (await pages().resetPassword({ token, password, visitor: { address: '192.0.2.1' } })).reset;
const isValid = async (token: string) => (await pages().getPasswordReset({ token })).valid;

const tokensFor = (email: string, page = 'reset-password') =>
  mail.sentTo(email).flatMap((text) => new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text)?.[1] ?? []);
/** The token of the newest e-mail once `count` of them have come. */
function tokenFor(email: string, count = 1, page = 'reset-password'): Promise<string> {
  const find = () => (tokensFor(email, page).length >= count ? tokensFor(email, page).at(-1) : undefined);
  return waitUntil(find, { what: `e-mail ${count}` });
}
async function requestReset(): Promise<{ person: TestEmployee; token: string }> {
  const person = await newPerson(identity);
  await request(person.email);
  return { person, token: await tokenFor(person.email) };
}
const notificationsTo = (email: string) => mail.sentTo(email).filter((text) => text.includes('password was changed'));
const openRequests = () => identity.db.collection('password_reset_requests').countDocuments();

describe('a forgotten password', () => {
  it('a forgotten password is replaced by the link of the e-mail, which ends every session and opens none', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    await request(` ${person.email.toUpperCase()}`);
    const token = await tokenFor(person.email);
    expect(await pages().getPasswordReset({ token })).toMatchObject({ valid: true, email: person.email });
    expect(await employeeOfSession(identity, session)).toBe(person.id);
    expect(await reset(token)).toBe(true);
    expect(await employeeOfSession(identity, session)).toBeUndefined();
    expect((await trySignIn(identity, person.email)).case).toBe('refusal');
    expect((await trySignIn(identity, person.email, NEW_PASSWORD)).case).toBe('opened');
    await waitUntil(() => notificationsTo(person.email).length === 1, { what: 'the notification' });
  });

  it('a forgotten password leaves API keys and connected apps as they are', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const tokens = await newTokens(identity, session, await registerApp(identity));
    const { apiKey } = await identity.channel
      .client(ApiKeyAdminService)
      .createApiKey({ employeeId: person.id, companyId: person.companyId, name: 'CRM' }, identity.operator);
    await request(person.email);
    expect(await reset(await tokenFor(person.email))).toBe(true);
    expect(await employeeOfToken(identity, tokens.accessToken)).toBe(person.id);
    const verified = await identity.channel.client(CredentialService).verifyApiKey({ apiKey });
    expect(verified.principal?.employeeId).toBe(person.id);
  });

  it('a forgotten password is no way around the second factor', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const { secret } = await pages().beginTwoFactor({ session });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await pages().confirmTwoFactor({ code, visitor: { session } })).confirmed).toBe(true);
    await request(person.email);
    expect(await reset(await tokenFor(person.email))).toBe(true);
    const outcome = await trySignIn(identity, person.email, NEW_PASSWORD);
    if (outcome.case !== 'opened') throw new Error('not signed in');
    expect(await employeeOfSession(identity, outcome.value.session)).toBeUndefined();
    const entered = await pages().enterOneTimeCode({ code, visitor: { session: outcome.value.session } });
    expect(entered.outcome.case).toBe('opened');
  });

  it('the reset of a forgotten password clears the limit of earlier wrong passwords', async () => {
    const { person, token } = await requestReset();
    for (let n = 0; n < 10; n++) await trySignIn(identity, person.email, `guess ${n}`);
    expect((await trySignIn(identity, person.email)).value).toMatchObject({ throttled: true });
    expect(await reset(token)).toBe(true);
    expect((await trySignIn(identity, person.email, NEW_PASSWORD)).case).toBe('opened');
  });
});

describe('the link', () => {
  it('the link works once, however many times it is used at once', async () => {
    const { person, token } = await requestReset();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => reset(token, `password number ${n}`)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await isValid(token)).toBe(false);
    await waitUntil(() => notificationsTo(person.email).length === 1, { what: 'one notification' });
  });

  it('the link keeps waiting while the password is no good', async () => {
    const { token } = await requestReset();
    for (const password of ['', 'short', 'x'.repeat(1025)])
      await expect(reset(token, password)).rejects.toThrow('validation_failed');
    expect(await reset(token)).toBe(true);
  });

  it('the link lasts an hour', async () => {
    const { person, token } = await requestReset();
    await identity.moveClock(59 * MINUTE);
    expect(await isValid(token)).toBe(true);
    await identity.moveClock(61 * MINUTE);
    expect([await isValid(token), await reset(token)]).toEqual([false, false]);
    expect((await trySignIn(identity, person.email)).case).toBe('opened');
  });

  it('the link ends when a newer one is sent', async () => {
    const { person, token } = await requestReset();
    await request(person.email);
    const newer = await tokenFor(person.email, 2);
    expect([await isValid(token), await reset(token), await reset(newer)]).toEqual([false, false, true]);
  });

  it('the link is invalid when the employee is deleted', async () => {
    const { person, token } = await requestReset();
    await identity.dismiss(person);
    await waitUntil(async () => !(await isValid(token)), { what: 'the end' });
    expect(await reset(token)).toBe(false);
  });

  it('the link is not found by an unknown token', async () => {
    expect([await isValid('pr_made-up'), await reset('pr_made-up'), await reset('')]).toEqual([false, false, false]);
  });
});

describe('an employee who has not accepted the invitation', () => {
  it('an employee who has not accepted the invitation gets a new one, and the old link stays invalid', async () => {
    const person = await identity.hire({ invitationPending: true });
    const old = await tokenFor(person.email, 1, 'invitation');
    await identity.moveClock(8 * DAY);
    await request(person.email);
    const token = await tokenFor(person.email, 2, 'invitation');
    expect(tokensFor(person.email)).toEqual([]);
    expect((await pages().getInvitation({ token: old })).valid).toBe(false);
    expect((await pages().acceptInvitation({ token, password: PASSWORD })).opened).toBeDefined();
  });

  it('an employee who has not accepted the invitation gets one while the first is pending, too', async () => {
    const person = await identity.hire({ invitationPending: true });
    await tokenFor(person.email, 1, 'invitation');
    await request(person.email);
    const token = await tokenFor(person.email, 2, 'invitation');
    expect((await pages().acceptInvitation({ token, password: PASSWORD })).opened).toBeDefined();
  });
});

describe('the e-mails', () => {
  it('the e-mails are sent when the mail server is back, and survive a restart of identity meanwhile', async () => {
    const person = await newPerson(identity);
    const refusals = mail.refused();
    mail.refuse(true);
    await request(person.email);
    await waitUntil(() => mail.refused() > refusals, { what: 'a refused attempt' });
    await identity.restart();
    mail.refuse(false);
    await identity.moveClock(1 * MINUTE);
    const token = await tokenFor(person.email);

    mail.refuse(true);
    expect(await reset(token)).toBe(true);
    await waitUntil(() => mail.refused() > refusals + 1, { what: 'a refused notification' });
    await identity.restart();
    mail.refuse(false);
    await identity.moveClock(3 * MINUTE);
    await waitUntil(() => notificationsTo(person.email).length === 1, { what: 'the notification' });
  });

  it('the e-mails notify the old address of the new one', async () => {
    const { person, token } = await requestReset();
    const moved = await identity.hire({ ...person, email: `new.${person.email}` });
    const notified = () => mail.sentTo(person.email).some((text) => text.includes('you sign in with the new one'));
    await waitUntil(notified, { what: 'the notification to the old address' });
    expect(await isValid(token)).toBe(false);
    await request(person.email);
    await request(moved.email);
    expect(await reset(await tokenFor(moved.email))).toBe(true);
    await waitUntil(() => notificationsTo(moved.email).length === 1, { what: 'the notification to the new address' });
    expect(mail.sentTo(person.email)).toHaveLength(2);
  });

  it('the e-mails are not sent for an unknown address, whose request is removed', async () => {
    const { person, token } = await requestReset();
    await request('nobody@example.com');
    await identity.dismiss(person);
    await waitUntil(async () => !(await isValid(token)), { what: 'the end' });
    await request(person.email);
    await waitUntil(async () => (await openRequests()) === 0, { what: 'every question to be answered' });
    expect(mail.sentTo('nobody@example.com')).toEqual([]);
    expect(mail.sentTo(person.email)).toHaveLength(1);
  });
});

describe('asking', () => {
  it('asking stores the same whether or not the address exists', async () => {
    const unsent = await startIdentity();
    try {
      const person = await newPerson(unsent);
      const asking = unsent.channel.client(SignInService);
      const answers = [];
      for (const email of [person.email, 'nobody@example.com'])
        answers.push(await asking.requestPasswordReset({ email, visitor: { address: '192.0.2.1' } }));
      expect(answers[0]).toEqual(answers[1]);
      const stored = await unsent.db.collection('password_reset_requests').find().toArray();
      expect(stored.map(({ emailKey }) => emailKey).toSorted()).toEqual(
        [person.email, 'nobody@example.com'].toSorted(),
      );
      expect(new Set(stored.map((one) => Object.keys(one).toSorted().join())).size).toBe(1);
    } finally {
      await unsent.stop();
    }
  });

  it.each(['somebody', 'nobody'])('asking is limited per person, for %s, but not on a known browser', async (who) => {
    const person = await newPerson(identity);
    const { device } = await signIn(identity, person);
    const email = who === 'somebody' ? person.email : `not.${person.email}`;
    const answers = await Promise.all(Array.from({ length: 9 }, () => request(email)));
    expect(answers.filter(({ refusal }) => refusal?.throttled)).toHaveLength(4);
    expect((await request(email)).refusal?.retryAfterSecs).toBeGreaterThan(3000);
    expect((await request(email, { device })).refusal === undefined).toBe(who === 'somebody');
    await identity.moveClock(61 * MINUTE);
    expect((await request(email)).refusal).toBeUndefined();
  });

  it('asking is limited per client, for any address', async () => {
    const from = { address: '203.0.113.5' };
    const answers = await Promise.all(Array.from({ length: 65 }, (_, n) => request(`nobody.${n}@example.com`, from)));
    expect(answers.filter(({ refusal }) => refusal?.throttled)).toHaveLength(5);
    expect((await request('nobody.else@example.com')).refusal).toBeUndefined();
  });
});

it('links and e-mails that are due are found by an index', async () => {
  const due = { 'due.at': { $lte: new Date() } };
  for (const [collection, filter, index] of [
    ['accounts', { 'passwordReset.digest': 'x' }, 'password_reset'],
    ['accounts', due, 'due'],
    ['password_reset_requests', due, 'due'],
    ['password_reset_requests', { expiresAt: { $lte: new Date() } }, 'expiry'],
  ] as const) {
    expect(await documentQueryPlan(identity.db, collection, filter)).toMatchObject({ index });
  }
});
