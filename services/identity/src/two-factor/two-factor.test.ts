import { describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Account } from '../accounts/account.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  draftOf,
  newRecoveryCodes,
  newTwoFactorSecret,
  recoveryDigest,
  replacesPassword,
  resetTwoFactor,
  stepOf,
  consumeCode,
} from './two-factor.ts';

const SECRET = newTwoFactorSecret();
const NOW = new Date('2030-01-01T00:00:10Z');
const after = (secs: number) => new Date(NOW.getTime() + secs * 1000);
const codeAt = (when: Date) => new TOTP({ secret: Secret.fromBase32(SECRET) }).generate({ timestamp: when.getTime() });
const account = (fields: Partial<Account>) =>
  ({ id: 'acc', twoFactor: null, twoFactorDraft: null, ...fields }) as Account;
const on = (fields = {}) =>
  account({
    twoFactor: {
      secret: SECRET,
      lastStep: null,
      recoveryDigests: [recoveryDigest('abcde-fghjk')],
      enrolledAt: NOW,
      ...fields,
    },
  });
const use = (current: Account, code: string, now = NOW) => consumeCode(current, (encrypted) => encrypted, code, now);

describe('a one-time code', () => {
  it.each([
    ['of now', 0, true],
    ['of the step before', -30, true],
    ['of the step after', 30, true],
    ['of two steps before', -60, false],
    ['of two steps after', 60, false],
  ])('a one-time code %s counts: %s s, %s', (_case, secs, counts) => {
    expect(stepOf(SECRET, codeAt(after(secs)), NOW) !== undefined).toBe(counts);
  });

  it('a one-time code is used up, and so is every older one', () => {
    const first = use(on(), codeAt(NOW));
    if (!first.ok) throw new Error('refused');
    expect(use(first.state, codeAt(NOW)).ok).toBe(false);
    expect(use(first.state, codeAt(after(-30))).ok).toBe(false);
    expect(use(first.state, codeAt(after(30)), after(30)).ok).toBe(true);
  });

  it('a one-time code works after the clock was moved back', () => {
    const future = use(on(), codeAt(after(86_400)), after(86_400));
    if (!future.ok) throw new Error('refused');
    expect(use(future.state, codeAt(NOW)).ok).toBe(true);
  });

  it('a one-time code is worth nothing without a second factor', () => {
    expect(use(account({}), codeAt(NOW)).ok).toBe(false);
  });
});

describe('a recovery code', () => {
  it('a recovery code works once, however it is typed', () => {
    const used = use(on(), ' ABCDE fghjk');
    if (!used.ok) throw new Error('refused');
    expect(use(used.state, 'abcde-fghjk').ok).toBe(false);
  });

  it('a recovery code is long, readable and never the same', () => {
    const codes = newRecoveryCodes();
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^([a-hjkmnp-tv-z2-9]{5}-){3}[a-hjkmnp-tv-z2-9]{5}$/);
    expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20);
  });
});

describe('confirmTwoFactor', () => {
  const confirm = (current: Account, code: string, sessionId = 'ses', now = NOW) =>
    confirmTwoFactor(current, { encrypted: 'draft', secret: SECRET, sessionId }, code, [], now);
  const draft = { secret: 'draft', sessionId: 'ses', expiresAt: after(900) };

  it('confirmTwoFactor takes a code of the draft', () => {
    const confirmed = confirm(account({ twoFactorDraft: draft }), codeAt(NOW));
    expect(confirmed).toMatchObject({ ok: true, state: { twoFactor: { secret: 'draft' }, twoFactorDraft: null } });
  });

  it('confirmTwoFactor refuses a wrong code, another draft, and a second factor in the place of the first', () => {
    expect(confirm(account({ twoFactorDraft: draft }), '000000').ok).toBe(false);
    expect(confirm(account({ twoFactorDraft: { ...draft, secret: 'other' } }), codeAt(NOW)).ok).toBe(false);
    expect(confirm({ ...on(), twoFactorDraft: draft }, codeAt(NOW)).ok).toBe(false);
  });

  it('confirmTwoFactor refuses the draft of another session and one whose time is over', () => {
    const current = account({ twoFactorDraft: draft });
    expect(confirm(current, codeAt(NOW), 'other').ok).toBe(false);
    expect(confirm(current, codeAt(after(900)), 'ses', after(900)).ok).toBe(false);
    expect(confirm(current, codeAt(after(899)), 'ses', after(899)).ok).toBe(true);
  });
});

describe('a code instead of the password', () => {
  const session = { enteredCode: true, createdAt: NOW };

  it('a code instead of the password counts in a session that was signed in with the second factor', () => {
    expect(replacesPassword(on({ enrolledAt: after(-1) }), session)).toBe(true);
  });

  it('a code instead of the password does not count without one, in a session without a code, or of a second factor that is newer than the session', () => {
    expect(replacesPassword(account({}), session)).toBe(false);
    expect(replacesPassword(on({ enrolledAt: after(-1) }), { enteredCode: false, createdAt: NOW })).toBe(false);
    expect(replacesPassword(on({ enrolledAt: after(1) }), session)).toBe(false);
  });
});

describe('beginTwoFactor', () => {
  it('beginTwoFactor replaces the draft of an earlier page, and refuses where a second factor is on', () => {
    const first = beginTwoFactor(account({}), { secret: 'one', sessionId: 'ses' }, NOW);
    if (!first.ok) throw new Error('refused');
    const second = beginTwoFactor(first.state, { secret: 'two', sessionId: 'ses' }, NOW);
    if (!second.ok) throw new Error('refused');
    expect(draftOf(second.state, 'ses', NOW)?.secret).toBe('two');
    expect(draftOf(second.state, 'other', NOW)).toBeUndefined();
    expect(beginTwoFactor(on(), { secret: 'one', sessionId: 'ses' }, NOW).ok).toBe(false);
  });
});

describe('a reset', () => {
  it('a reset removes the factor, ends sessions and has an entry in the audit log', () => {
    const reset = resetTwoFactor({ ...on(), employeeId: 'emp_1', name: 'Emma', passwordVersion: 3, deletedAt: null });
    expect(reset).toMatchObject({
      state: { twoFactor: null, passwordVersion: 4 },
      events: [
        { employeeId: 'emp_1', ended: 'sessions', audit: { type: 'two_factor.reset', object: { id: 'emp_1' } } },
      ],
    });
  });

  it('a reset changes nothing without a factor', () => {
    const without = { ...account({}), deletedAt: null };
    expect(resetTwoFactor(without)).toMatchObject({ state: without, events: [] });
  });
});
