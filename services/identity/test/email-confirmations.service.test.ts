import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import {
  EmailConfirmationOutcome as Outcome,
  EmailConfirmationService,
} from '@parley/proto/identity/v1/email_confirmations_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { waitUntil } from '@parley/testkit';
import { Secret, TOTP } from 'otpauth';
import { startMailServer, type TestMailServer } from './mail-server.ts';
import { newPerson, PASSWORD, signIn, trySignIn } from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

let mail: TestMailServer;
let identity: TestIdentity;
beforeAll(async () => {
  mail = await startMailServer();
  identity = await startIdentity({ SMTP_URL: mail.url });
});
afterEach(() => identity.moveClock(0));
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

const confirmations = () => identity.channel.client(EmailConfirmationService);
const tokensTo = (email: string) =>
  mail.sentTo(email).flatMap((text) => /\/confirm-address\?token=([\w-]+)/.exec(text)?.[1] ?? []);
const tokenTo = (email: string, count = 1) =>
  waitUntil(() => (tokensTo(email).length >= count ? tokensTo(email).at(-1) : undefined), { what: `link ${count}` });
const canSignIn = async (email: string) => (await trySignIn(identity, email)).case === 'opened';
/** Does the same as directory when a colleague changes the address. */
async function changeAddress(person: TestEmployee): Promise<TestEmployee> {
  const signInEmail = person.signInEmail ?? person.email;
  const { emailChange, revision } = person;
  const next = {
    email: `${newId('n')}@example.com`,
    signInEmail,
    emailChange: emailChange + 1n,
    revision: revision + 1n,
  };
  return identity.hire({ ...person, ...next });
}
const valid = async (token: string) => (await confirmations().getEmailConfirmation({ token })).valid;
const confirm = async (token: string) => (await confirmations().confirmEmailByLink({ token })).confirmed;
const confirmInBrowser = async (
  { emailChange }: TestEmployee,
  request: { session: string; employeeId?: string; password?: string; code?: string },
) => (await confirmations().confirmEmailBySession({ ...request, emailChange })).outcome;
const pages = () => identity.channel.client(SignInService);
const visitor = (session: string) => ({ address: '192.0.2.1', userAgent: 'test', session });
const codeOf = (secret: string, offsetSecs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetSecs * 1000 });
/** Enrols an authenticator app in the session; its secret. */
async function enrol(session: string): Promise<string> {
  const { secret } = await pages().beginTwoFactor({ session });
  const { confirmed } = await pages().confirmTwoFactor({ code: codeOf(secret), visitor: visitor(session) });
  expect(confirmed).toBe(true);
  return secret;
}

describe('a new address', () => {
  it('a new address does not sign in until the link in the e-mail to the old one is followed', async () => {
    const person = await newPerson(identity);
    const old = person.email;
    const changed = await changeAddress(person);
    const token = await tokenTo(old);
    expect([await canSignIn(old), await canSignIn(changed.email)]).toEqual([true, false]);
    expect((await confirmations().getEmailConfirmation({ token })).email).toBe(changed.email);
    expect(tokensTo(changed.email)).toEqual([]);
    expect(await confirm(token)).toBe(true);
    expect([await canSignIn(old), await canSignIn(changed.email)]).toEqual([false, true]);
    expect([await valid(token), await confirm(token)]).toEqual([false, false]);
    const isNotified = () => mail.sentTo(old).some((text) => text.includes('From now on you sign in with the new one'));
    await waitUntil(isNotified, { what: 'the notification of the old address' });
  });

  it('a new address does not get a link for a new password before it is confirmed', async () => {
    const changed = await changeAddress(await newPerson(identity));
    await tokenTo(changed.signInEmail!);
    const stranger = { address: '198.51.100.200' };
    await pages().requestPasswordReset({ email: changed.email, visitor: stranger });
    await pages().requestPasswordReset({ email: changed.signInEmail!, visitor: stranger });
    await waitUntil(() => mail.sentTo(changed.signInEmail!).some((text) => text.includes('/reset-password')), {
      what: 'the link to the old address',
    });
    expect(mail.sentTo(changed.email)).toEqual([]);
  });

  it('a new address is confirmed by the link of its own change only, and for seven days', async () => {
    const person = await changeAddress(await newPerson(identity));
    const old = person.signInEmail!;
    const first = await tokenTo(old);
    const again = await changeAddress(person);
    const second = await tokenTo(old, 2);
    expect([await valid(first), await confirm(first), await valid(second)]).toEqual([false, false, true]);
    await identity.moveClock(8 * 24 * 3600);
    expect([await valid(second), await confirm(second)]).toEqual([false, false]);
    expect(await canSignIn(again.email)).toBe(false);
  });

  it('a new address that is withdrawn makes its link invalid', async () => {
    const person = await changeAddress(await newPerson(identity));
    const token = await tokenTo(person.signInEmail!);
    const back = {
      email: person.signInEmail!,
      signInEmail: undefined,
      emailChange: 2n,
      revision: person.revision + 1n,
    };
    await identity.hire({ ...person, ...back });
    await waitUntil(async () => !(await valid(token)), { what: 'the end of the link' });
    expect(await canSignIn(person.signInEmail!)).toBe(true);
  });

  it('a new address of a deleted employee is confirmed by nobody', async () => {
    const person = await changeAddress(await newPerson(identity));
    const token = await tokenTo(person.signInEmail!);
    await identity.dismiss(person);
    expect(await confirm(token)).toBe(false);
  });
});

describe('in the browser', () => {
  it('an employee confirms a new address in the browser after the password was entered again', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const changed = await changeAddress(person);
    await tokenTo(changed.signInEmail!);
    const { unconfirmedEmail, email } = await identity.channel.client(CredentialService).verifySession({ session });
    expect([unconfirmedEmail, email]).toEqual([changed.email, changed.signInEmail]);
    expect(await confirmInBrowser(changed, { session, password: 'wrong' })).toBe(Outcome.WRONG);
    expect(await confirmInBrowser(changed, { session })).toBe(Outcome.WRONG);
    expect(await confirmInBrowser(changed, { session: 'ss_unknown', password: PASSWORD })).toBe(Outcome.SIGNED_OUT);
    expect(await confirmInBrowser(changed, { session, password: PASSWORD })).toBe(Outcome.CONFIRMED);
    expect(await confirmInBrowser(changed, { session, password: PASSWORD })).toBe(Outcome.NOTHING);
    expect(await canSignIn(changed.email)).toBe(true);
  });

  it('an owner of the company confirms the new addresses of others in the browser; nobody else does', async () => {
    const changed = await changeAddress(await newPerson(identity, { role: Role.MEMBER }));
    await tokenTo(changed.signInEmail!);
    const { companyId } = changed;
    const request = { employeeId: changed.id, password: PASSWORD };
    const admin = await signIn(identity, await newPerson(identity, { companyId, role: Role.ADMIN }));
    const foreign = await signIn(identity, await newPerson(identity, { role: Role.OWNER }));
    for (const { session } of [admin, foreign])
      expect(await confirmInBrowser(changed, { session, ...request })).toBe(Outcome.NOTHING);
    const { session } = await signIn(identity, await newPerson(identity, { companyId, role: Role.OWNER }));
    expect(await confirmInBrowser(changed, { session, ...request, password: 'wrong' })).toBe(Outcome.WRONG);
    expect(await confirmInBrowser(changed, { session, ...request })).toBe(Outcome.CONFIRMED);
    expect(await canSignIn(changed.email)).toBe(true);
  });

  it.each(['before', 'after'])(
    'a code of an app that the session enrolled %s the change is not enough',
    async (when) => {
      const person = await newPerson(identity);
      const { session } = await signIn(identity, person);
      const early = when === 'before' ? await enrol(session) : undefined;
      const changed = await changeAddress(person);
      await tokenTo(changed.signInEmail!);
      const code = codeOf(early ?? (await enrol(session)));
      expect(await confirmInBrowser(changed, { session, code })).toBe(Outcome.PASSWORD_REQUIRED);
      expect(await canSignIn(changed.email)).toBe(false);
      expect(await confirmInBrowser(changed, { session, password: 'wrong', code })).toBe(Outcome.WRONG);
      expect(await confirmInBrowser(changed, { session, password: PASSWORD })).toBe(Outcome.CONFIRMED);
    },
  );

  it('a code is enough in a session that was signed in with the same second factor', async () => {
    const person = await newPerson(identity);
    const secret = await enrol((await signIn(identity, person)).session);
    const half = await signIn(identity, person);
    const entered = { code: codeOf(secret), visitor: visitor(half.session) };
    const { outcome } = await pages().enterOneTimeCode(entered);
    if (outcome.case !== 'opened') throw new Error('not signed in');
    const { session } = outcome.value;
    const changed = await changeAddress(person);
    await tokenTo(changed.signInEmail!);
    expect(await confirmInBrowser(changed, { session, code: '000000' })).toBe(Outcome.WRONG);
    expect(await confirmInBrowser(changed, { session, code: codeOf(secret, 30) })).toBe(Outcome.CONFIRMED);
  });

  it('only the change of an address that was shown is confirmed', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const first = await changeAddress(person);
    await tokenTo(person.email);
    const shown = { ...first };
    const changed = await changeAddress(first);
    await tokenTo(first.signInEmail!, 2);
    expect(await confirmInBrowser(shown, { session, password: PASSWORD })).toBe(Outcome.NOTHING);
    const request = { session, password: PASSWORD };
    expect((await confirmations().confirmEmailBySession(request)).outcome).toBe(Outcome.NOTHING);
    const { emailChange } = await identity.channel.client(CredentialService).verifySession({ session });
    expect(emailChange).toBe(changed.emailChange);
    expect(await confirmInBrowser(changed, request)).toBe(Outcome.CONFIRMED);
    expect([await canSignIn(shown.email), await canSignIn(changed.email)]).toEqual([false, true]);
  });

  it('guesses of a password at the confirmation of an address are limited', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const changed = await changeAddress(person);
    await tokenTo(changed.signInEmail!);
    const outcomes = new Set<Outcome>();
    for (let count = 0; count < 12; count += 1)
      outcomes.add(await confirmInBrowser(changed, { session, password: 'guess' }));
    expect(outcomes).toEqual(new Set([Outcome.WRONG, Outcome.THROTTLED]));
  });
});
