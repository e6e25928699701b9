import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { TwoFactorAdminService } from '@parley/proto/identity/v1/two_factor_pb';
import { Secret, TOTP } from 'otpauth';
import { newPerson, PASSWORD, registerApp, signIn, employeeOfSession, newCode } from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const pages = () => identity.channel.client(SignInService);
const codeOf = (secret: string, offsetSecs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetSecs * 1000 });
const visitor = (session: string) => ({ address: '192.0.2.1', userAgent: 'test', session });

async function enrolled(): Promise<{
  person: TestEmployee;
  secret: string;
  recoveryCodes: string[];
  session: string;
  device: string;
}> {
  const person = await newPerson(identity);
  const { session, device } = await signIn(identity, person);
  const { secret } = await pages().beginTwoFactor({ session });
  const { confirmed, recoveryCodes } = await pages().confirmTwoFactor({
    code: codeOf(secret),
    visitor: visitor(session),
  });
  expect(confirmed).toBe(true);
  return { person, secret, recoveryCodes, session, device };
}
const enter = async (session: string, code: string) =>
  (await pages().enterOneTimeCode({ code, visitor: visitor(session) })).outcome;

describe('a second factor', () => {
  it('a second factor is required after the password, before the session is signed in', async () => {
    const { person, secret } = await enrolled();
    const half = await signIn(identity, person);
    expect(half.stage).toBe(SessionStage.ONE_TIME_CODE);
    expect(await employeeOfSession(identity, half.session)).toBeUndefined();
    await expect(newCode(identity, half.session, await registerApp(identity))).rejects.toThrow('signedOut');
    const whole = await enter(half.session, codeOf(secret));
    if (whole.case !== 'opened') throw new Error('not signed in');
    expect(whole.value.session).not.toBe(half.session);
    expect(await employeeOfSession(identity, whole.value.session)).toBe(person.id);
    expect(await employeeOfSession(identity, half.session)).toBeUndefined();
  });

  it('a second factor takes each code once, also when it is entered many times at once', async () => {
    const { person, secret } = await enrolled();
    const halves = await Promise.all(Array.from({ length: 5 }, () => signIn(identity, person)));
    const code = codeOf(secret);
    const outcomes = await Promise.all(halves.map(({ session }) => enter(session, code)));
    expect(outcomes.filter((outcome) => outcome.case === 'opened')).toHaveLength(1);
  });

  it.each(['000000', '', '12345', 'abcdef', '1234567'])('a second factor refuses %j', async (wrong) => {
    const { person } = await enrolled();
    const { session } = await signIn(identity, person);
    expect((await enter(session, wrong)).case).toBe('refusal');
  });

  it('a second factor refuses a code of five minutes ago', async () => {
    const { person, secret } = await enrolled();
    const { session } = await signIn(identity, person);
    expect((await enter(session, codeOf(secret, -300))).case).toBe('refusal');
  });

  it('a second factor stops guessing after ten codes across sign-ins', async () => {
    const { person, secret, device } = await enrolled();
    for (let n = 0; n < 10; n++) await enter((await signIn(identity, person)).session, '000000');
    const { session } = await signIn(identity, person);
    const outcome = await enter(session, codeOf(secret));
    expect(outcome.value).toMatchObject({ throttled: true });
    // The owner's own browser is counted by itself.
    const known = { ...visitor(session), device };
    expect((await pages().enterOneTimeCode({ code: codeOf(secret), visitor: known })).outcome.case).toBe('opened');
  });

  it('a second factor can be replaced by a recovery code, each of them once', async () => {
    const { person, recoveryCodes } = await enrolled();
    const [code = ''] = recoveryCodes;
    const typed = code.toUpperCase().replaceAll('-', ' ');
    expect((await enter((await signIn(identity, person)).session, typed)).case).toBe('opened');
    expect((await enter((await signIn(identity, person)).session, code)).case).toBe('refusal');
  });

  it('a second factor cannot be replaced from an open session', async () => {
    const { session } = await enrolled();
    await expect(pages().beginTwoFactor({ session })).rejects.toThrow('conflict');
  });

  it('a second factor has a new secret for every page, session and password', async () => {
    const person = await newPerson(identity);
    const { session } = await signIn(identity, person);
    const confirm = async (by: string, secret: string) =>
      (await pages().confirmTwoFactor({ code: codeOf(secret), visitor: visitor(by) })).confirmed;
    const first = await pages().beginTwoFactor({ session });
    const second = await pages().beginTwoFactor({ session });
    expect(second.secret).not.toBe(first.secret);
    expect(await confirm(session, first.secret)).toBe(false);
    expect((await pages().beginTwoFactor({ session, afterWrongCode: true })).secret).toBe(second.secret);
    const other = await signIn(identity, person);
    expect(await confirm(other.session, second.secret)).toBe(false);
    const change = { currentPassword: PASSWORD, password: 'another good password', visitor: visitor(session) };
    const { outcome } = await pages().changePassword(change);
    if (outcome.case !== 'opened') throw new Error('not changed');
    expect(await confirm(outcome.value.session, second.secret)).toBe(false);
    const renewed = await pages().beginTwoFactor({ session: outcome.value.session, afterWrongCode: true });
    expect(renewed.secret).not.toBe(second.secret);
    expect(await confirm(outcome.value.session, renewed.secret)).toBe(true);
  });

  it('a second factor is switched off with a code only', async () => {
    const { session, secret } = await enrolled();
    expect((await pages().disableTwoFactor({ session, code: '000000' })).disabled).toBe(false);
    expect((await pages().disableTwoFactor({ session, code: codeOf(secret) })).disabled).toBe(true);
    expect(await pages().getTwoFactor({ session })).toMatchObject({ enabled: false });
  });
});

describe('a reset by the operator', () => {
  const reset = (employeeId: string) =>
    identity.channel.client(TwoFactorAdminService).resetTwoFactor({ employeeId }, identity.operator);

  it('a reset by the operator removes the factor and its recovery codes and ends every session, also a half-open one', async () => {
    const { person, session, secret } = await enrolled();
    const half = await signIn(identity, person);
    await reset(person.id);
    expect(await employeeOfSession(identity, session)).toBeUndefined();
    expect((await enter(half.session, codeOf(secret))).case).toBe('refusal');
    const account = await identity.db.collection('accounts').findOne({ employeeId: person.id });
    expect(account).toMatchObject({ twoFactor: null, twoFactorDraft: null });
    const next = await signIn(identity, person);
    expect(next.stage).toBe(SessionStage.SIGNED_IN);
    expect(await pages().getTwoFactor({ session: next.session })).toMatchObject({ enabled: false });
  });

  it('a reset by the operator changes nothing a second time, nor for somebody without a factor', async () => {
    const { person } = await enrolled();
    await Promise.all([reset(person.id), reset(person.id)]);
    const { session } = await signIn(identity, person);
    await reset(person.id);
    expect(await employeeOfSession(identity, session)).toBe(person.id);
  });

  it('a reset by the operator is refused for an employee who is unknown or deleted, and to anybody else', async () => {
    const { person } = await enrolled();
    await expect(reset('emp_unknown')).rejects.toThrow('not_found');
    const admin = identity.channel.client(TwoFactorAdminService);
    await expect(admin.resetTwoFactor({ employeeId: person.id })).rejects.toThrow('forbidden');
    await identity.dismiss(person);
    await expect(reset(person.id)).rejects.toThrow('not_found');
  });
});

describe('ten wrong codes', () => {
  const throttled = { throttled: true, retryAfterSecs: expect.any(Number) };

  it('ten wrong codes throttle switching a second factor off, which is not called a wrong code', async () => {
    const { session, secret } = await enrolled();
    const disable = (code: string) => pages().disableTwoFactor({ session, code });
    for (let n = 0; n < 10; n++) expect(await disable('000000')).toMatchObject({ disabled: false, throttled: false });
    const answer = await disable(codeOf(secret));
    expect(answer).toMatchObject({ disabled: false, required: false, ...throttled });
    expect(answer.retryAfterSecs).toBeGreaterThan(0);
  });

  it('ten wrong codes throttle switching a second factor on, which is not called a wrong code', async () => {
    const { session } = await signIn(identity, await newPerson(identity));
    const { secret } = await pages().beginTwoFactor({ session });
    const confirm = (code: string) => pages().confirmTwoFactor({ code, visitor: visitor(session) });
    for (let n = 0; n < 10; n++) expect(await confirm('abcdef')).toMatchObject({ confirmed: false, throttled: false });
    const answer = await confirm(codeOf(secret));
    expect(answer).toMatchObject({ confirmed: false, ...throttled });
    expect(answer.retryAfterSecs).toBeGreaterThan(0);
  });
});

describe('a company that requires a second factor', () => {
  it('a company that requires a second factor has its employees enrol before anything else', async () => {
    const person = await newPerson(identity);
    const before = await signIn(identity, person);
    await identity.requireTwoFactor(person.companyId, true);
    expect(await employeeOfSession(identity, before.session)).toBeUndefined();

    const { session, stage } = await signIn(identity, person);
    expect(stage).toBe(SessionStage.ENROLMENT);
    expect(await employeeOfSession(identity, session)).toBeUndefined();
    const { secret } = await pages().beginTwoFactor({ session });
    const { opened } = await pages().confirmTwoFactor({ code: codeOf(secret), visitor: visitor(session) });
    expect(await employeeOfSession(identity, opened?.session ?? '')).toBe(person.id);
    expect(await pages().disableTwoFactor({ session: opened?.session ?? '', code: codeOf(secret) })).toMatchObject({
      disabled: false,
      required: true,
      throttled: false,
    });
    await identity.requireTwoFactor(person.companyId, false);
  });
});
