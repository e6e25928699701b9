import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmployeeSignedInSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { waitUntil } from '@parley/testkit';
import { PASSWORD, signIn, trySignIn, employeeOfSession } from './person.ts';
import { startMailServer, type TestMailServer } from './mail-server.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

const DAY = 24 * 3600;

let mail: TestMailServer;
let identity: TestIdentity;
let signedIn: readonly string[];
beforeAll(async () => {
  mail = await startMailServer();
  identity = await startIdentity({ SMTP_URL: mail.url, MAIL_FROM: 'Parley <no-reply@parley.example>' });
  signedIn = await identity.record(
    'identity.employee.signed_in',
    ({ data }) => fromBinary(EmployeeSignedInSchema, data).employeeId,
  );
});
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

const pages = () => identity.channel.client(SignInService);
const accept = (token: string, password = 'my first password') => pages().acceptInvitation({ token, password });

async function invited(): Promise<{ person: TestEmployee; token: string }> {
  const person = await identity.hire({ invitationPending: true });
  return { person, token: await tokenFor(person.email) };
}
/** Shorter than the mail server's time limit and the wait before another attempt: neither may delay an invitation. */
const AT_ONCE_MS = 5000;
function tokenFor(email: string, timeoutMs?: number): Promise<string> {
  const find = () => /\/invitation\?token=([\w-]+)/.exec(mail.sentTo(email).at(-1) ?? '')?.[1];
  return waitUntil(find, { what: 'the e-mail', ...(timeoutMs !== undefined && { timeoutMs }) });
}

describe('an invitation', () => {
  it('an invitation reaches the employee by e-mail, sets the password and is the first sign-in', async () => {
    const { person, token } = await invited();
    expect((await trySignIn(identity, person.email, 'my first password')).case).toBe('refusal');
    expect(await pages().getInvitation({ token })).toMatchObject({ valid: true, email: person.email });
    const { opened } = await accept(token);
    expect(await employeeOfSession(identity, opened?.session ?? '')).toBe(person.id);
    expect((await trySignIn(identity, person.email, 'my first password')).case).toBe('opened');
    await waitUntil(() => signedIn.includes(person.id), { what: 'the news of the sign-in' });
  });

  it('an invitation works once, however many times it is used at once', async () => {
    const { token } = await invited();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => accept(token, `password number ${n}`)));
    expect(answers.filter(({ opened }) => opened)).toHaveLength(1);
    expect(await pages().getInvitation({ token })).toMatchObject({ valid: false, email: '' });
  });

  it('an invitation keeps waiting while the password is no good', async () => {
    const { token } = await invited();
    await expect(accept(token, 'short')).rejects.toThrow('validation_failed');
    expect((await accept(token)).opened).toBeDefined();
  });

  it('an invitation expires after seven days', async () => {
    const { token } = await invited();
    await identity.moveClock(7 * DAY + 1);
    expect(await pages().getInvitation({ token })).toMatchObject({ valid: false });
    expect((await accept(token)).opened).toBeUndefined();
    await identity.moveClock(0);
  });

  it('an invitation is not found by an unknown token', async () => {
    expect(await pages().getInvitation({ token: 'it_made-up' })).toMatchObject({ valid: false });
    expect((await accept('')).opened).toBeUndefined();
  });

  it('an invitation follows the employee to a new address, and the old link is worth nothing', async () => {
    const { person, token } = await invited();
    const moved = await identity.hire({ ...person, email: `new.${person.email}` });
    const next = await tokenFor(moved.email);
    expect(await pages().getInvitation({ token })).toMatchObject({ valid: false });
    expect((await accept(next)).opened).toBeDefined();
  });

  it('an invitation reaches a new address while a slow mail server still takes the e-mail to the old one', async () => {
    const email = `slow.${Date.now()}@example.com`;
    const held = mail.hold(email);
    const person = await identity.hire({ invitationPending: true, email });
    await waitUntil(held.isReceived, { what: 'the e-mail to the old address' });
    const moved = await identity.hire({ ...person, email: `new.${email}` });
    const next = await tokenFor(moved.email, AT_ONCE_MS);
    held.release();
    expect(await pages().getInvitation({ token: await tokenFor(email) })).toMatchObject({ valid: false });
    expect((await accept(next)).opened).toBeDefined();
  });

  it('an invitation reaches the last of several addresses that are set right after each other', async () => {
    const people = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const person = await identity.hire({ invitationPending: true });
        return identity.hire({ ...person, email: `last.${person.email}` });
      }),
    );
    for (const { email } of people) expect((await accept(await tokenFor(email, AT_ONCE_MS))).opened).toBeDefined();
  });

  it('an invitation is sent at most ten times an hour however often the address changes, and reaches the last one later', async () => {
    const { person } = await invited();
    const before = mail.sent();
    for (let n = 0; n < 50; n++) {
      await identity.hire({ ...person, email: `${n}.${person.email}` });
      if (n < 12)
        await waitUntil(() => n >= 9 || mail.sentTo(`${n}.${person.email}`).length === 1, { what: 'the e-mail' });
    }
    const account = () => identity.db.collection('accounts').findOne({ employeeId: person.id });
    await waitUntil(async () => (await account())?.email === `49.${person.email}`, { what: 'the last address' });
    expect(mail.sent() - before).toBe(9);
    await identity.moveClock(2 * 3600);
    await tokenFor(`49.${person.email}`);
    expect(mail.sent() - before).toBe(10);
    await identity.moveClock(0);
  });

  it('an invitation names people and companies in plain text that no mail program makes a link of', async () => {
    const person = await identity.hire({ invitationPending: true, name: 'Ada\r\nhttps://evil.example/win' });
    await tokenFor(person.email);
    expect(mail.sentTo(person.email)[0]).toContain('Hello Ada https: evil. example win,');
    expect(mail.sentTo(person.email)[0]).not.toContain('evil.example');
  });

  it('an invitation is invalid once the employee has signed in, and none is sent after that', async () => {
    const { person, token } = await invited();
    const { id: employeeId, companyId } = person;
    await identity.channel
      .client(PasswordAdminService)
      .setPassword({ employeeId, companyId, password: PASSWORD }, identity.operator);
    expect(await pages().getInvitation({ token })).toMatchObject({ valid: true });
    await signIn(identity, person);
    expect(await pages().getInvitation({ token })).toMatchObject({ valid: false });
    expect((await accept(token)).opened).toBeUndefined();
    expect((await trySignIn(identity, person.email)).case).toBe('opened');
  });

  it('an invitation is removed with the employee', async () => {
    const { person, token } = await invited();
    await identity.dismiss(person);
    await waitUntil(async () => !(await pages().getInvitation({ token })).valid, { what: 'the end' });
    expect((await accept(token)).opened).toBeUndefined();
  });

  it('an invitation is sent when the mail server is back, and survives a restart of identity meanwhile', async () => {
    mail.refuse(true);
    const person = await identity.hire({ invitationPending: true });
    await waitUntil(() => mail.refused() > 0, { what: 'a refused attempt' });
    await identity.restart();
    mail.refuse(false);
    await identity.moveClock(60);
    expect((await accept(await tokenFor(person.email))).opened).toBeDefined();
    await identity.moveClock(0);
  });

  it('an invitation is not sent to an employee who is not invited', async () => {
    const person = await identity.hire({ invitationPending: false });
    await invited();
    expect(mail.sentTo(person.email)).toEqual([]);
  });
});
