import { describe, expect, it } from '@jest/globals';
import {
  type Approval,
  decideAuthorization,
  type DeviceAuthorization,
  enterCode,
  pollAuthorization,
  requestAuthorization,
} from './device-authorization.ts';

const START = new Date('2026-03-01T12:00:00Z');
const after = (secs: number) => new Date(START.getTime() + secs * 1000);
const request = {
  id: 'dau_1',
  clientId: 'app_1',
  clientName: 'App',
  scope: 'api',
  deviceCodeDigest: 'd',
  userCodeDigest: 'u',
  requestedFrom: { address: '192.0.2.1', program: 'parley/1.0' },
};
const requested = requestAuthorization(request, START);
const entry = { sessionId: 'ses_1', companyId: 'com_1', isTurnedOff: false };
const by: Approval = {
  companyId: 'com_1',
  employeeId: 'emp_1',
  name: 'Ada',
  sessionId: 'ses_1',
  address: '192.0.2.2',
};
const decision = { by, isAllowed: true, isTurnedOff: false };
const company = { id: 'com_1', isTurnedOff: false };
const entered = enterCode(requested, entry, START).next!;
const allowed = decideAuthorization(entered, decision, START).next!;
const denied = decideAuthorization(entered, { ...decision, isAllowed: false }, START).next!;
const poll = (
  current: DeviceAuthorization,
  now: Date,
  changes: Partial<Parameters<typeof pollAuthorization>[1]> = {},
) => pollAuthorization(current, { clientId: 'app_1', company: current.companyId ? company : null, ...changes }, now);
const redeemed = poll(allowed, START).next!;

describe('a request for an authorization', () => {
  it('a request for an authorization lasts ten minutes and waits for an employee', () => {
    expect(requested).toMatchObject({ progress: { step: 'waiting' }, expiresAt: after(600), companyId: null });
    expect(requested.removeAt > after(3600)).toBe(true);
  });

  it('a request for an authorization keeps what the program calls itself, readable and short', () => {
    const program = `curl\u202e\u0007/8 ${'x'.repeat(1000)}`;
    const { requestedFrom } = requestAuthorization({ ...request, requestedFrom: { address: 'a', program } }, START);
    expect(requestedFrom.program).toBe(`curl/8 ${'x'.repeat(193)}`);
  });
});

describe('a user code', () => {
  it('a user code belongs to the session that entered it first', () => {
    expect(entered.progress).toEqual({ step: 'entered', sessionId: 'ses_1' });
    expect(enterCode(entered, entry, START)).toEqual({ outcome: 'ask' });
    expect(enterCode(entered, { ...entry, sessionId: 'ses_2' }, START)).toEqual({ outcome: 'not_valid' });
    const other = { ...decision, by: { ...by, sessionId: 'ses_2' } };
    expect(decideAuthorization(entered, other, START)).toEqual({ outcome: 'not_valid' });
  });

  it.each([
    ['has expired', requested, 600],
    ['was entered and has expired', entered, 600],
    ['was allowed', allowed, 1],
    ['was denied', denied, 1],
    ['was redeemed', redeemed, 1],
  ])('a user code that %s is not valid', (_case, current, secs) => {
    expect(enterCode(current, entry, after(secs))).toEqual({ outcome: 'not_valid' });
    expect(decideAuthorization(current, decision, after(secs))).toEqual({ outcome: 'not_valid' });
  });

  it('a user code that nobody has entered cannot be decided', () => {
    expect(decideAuthorization(requested, decision, START)).toEqual({ outcome: 'not_valid' });
  });

  it('a user code of a company that has turned it off denies the program', () => {
    const off = enterCode(requested, { ...entry, isTurnedOff: true }, START);
    expect(off).toMatchObject({ outcome: 'turned_off', next: { progress: { step: 'denied' } } });
    expect(poll(off.next!, START).outcome).toEqual({ kind: 'denied' });
    expect(decideAuthorization(entered, { ...decision, isTurnedOff: true }, START)).toMatchObject({
      outcome: 'turned_off',
      next: { progress: { step: 'denied' } },
    });
  });
});

describe('a program', () => {
  it('a program that keeps the interval waits', () => {
    const first = poll(requested, START);
    const second = poll(first.next!, after(5));
    const third = poll(second.next!, new Date(after(10).getTime() - 400));
    expect([first, second, third].map(({ outcome }) => outcome.kind)).toEqual(['pending', 'pending', 'pending']);
    expect(third.next?.intervalSecs).toBe(5);
  });

  it('a program that asks too often waits five seconds more each time', () => {
    let current = poll(requested, START).next!;
    const kinds: string[] = [];
    for (const secs of [1, 7, 22, 43]) {
      const { outcome, next } = poll(current, after(secs));
      kinds.push(`${outcome.kind} ${next?.intervalSecs}`);
      current = next!;
    }
    expect(kinds).toEqual(['slow_down 10', 'slow_down 15', 'pending 15', 'pending 15']);
  });

  it('a program is not too fast because the clock went back', () => {
    expect(poll(poll(requested, after(300)).next!, after(10)).outcome.kind).toBe('pending');
  });

  it('a program gets its tokens once, at once, however often it has asked', () => {
    const impatient = { ...allowed, lastPolledAt: START };
    const first = poll(impatient, START);
    expect(first).toMatchObject({ outcome: { kind: 'allowed', by }, next: { progress: { step: 'redeemed' } } });
    expect(JSON.stringify(first.next)).not.toContain('Ada');
    expect(poll(first.next!, after(10)).outcome).toMatchObject({ kind: 'not_valid' });
  });

  it('a program that was allowed while its request was under way gets the tokens with the next one', () => {
    expect(poll(allowed, START, { company: null }).outcome.kind).toBe('pending');
    expect(poll(allowed, START, { company: { id: 'com_2', isTurnedOff: false } }).outcome.kind).toBe('pending');
  });

  it('a program is denied by the employee, and for good by a company that turns it off', () => {
    expect(poll(denied, after(5)).outcome).toEqual({ kind: 'denied' });
    for (const current of [entered, allowed]) {
      const off = poll(current, after(5), { company: { id: 'com_1', isTurnedOff: true } });
      expect(off).toMatchObject({ outcome: { kind: 'denied' }, next: { progress: { step: 'denied' } } });
      expect(poll(off.next!, after(10)).outcome).toEqual({ kind: 'denied' });
    }
  });

  it.each([
    ['waiting', requested],
    ['entered', entered],
    ['allowed', allowed],
  ])('a program is told that its code has expired: %s', (_step, current) => {
    expect(poll(current, new Date(after(600).getTime() - 1)).outcome.kind).not.toBe('expired');
    expect(poll(current, after(600)).outcome).toEqual({ kind: 'expired' });
  });

  it('a program cannot use the device code of another client', () => {
    expect(poll(allowed, START, { clientId: 'app_2' })).toMatchObject({ outcome: { kind: 'not_valid' } });
  });
});
