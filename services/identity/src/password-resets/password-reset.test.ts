import { describe, expect, it } from '@jest/globals';
import { type Account, closeAccount, invite, setPassword } from '../accounts/account.ts';
import { beginReset, hasPasswordReset, resetPassword, recoveryMethodFor } from './password-reset.ts';
import { describeAccount, openAccount } from '../accounts/describe-account.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const after = (secs: number) => new Date(NOW.getTime() + secs * 1000);
const HOUR = 3600;
const DAY = 24 * HOUR;
const holder = { id: 'emp_1', companyId: 'com_1', name: 'Ada', email: 'ada@example.com' };

function stateOf(decision: ReturnType<typeof openAccount>): Account {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}
const fresh = stateOf(openAccount(holder, NOW));
const invited = stateOf(invite(fresh, { emailVersion: 0, expiresAt: after(7 * DAY) }, 'invitation'));
const accepted = stateOf(setPassword(fresh, 'old hash'));
const closed = stateOf(closeAccount(accepted, NOW));
const waiting = stateOf(beginReset(accepted, holder.email, 'first', NOW));
const reset = (current: Account, digest = 'first', now = NOW) => resetPassword(current, digest, 'new hash', now);

describe('the way back in', () => {
  it.each([
    ['nobody', undefined, 'none'],
    ['a deleted employee', closed, 'none'],
    ['an employee whose invitation is out, or over', invited, 'invitation'],
    ['an employee who was never invited', fresh, 'invitation'],
    ['an employee with a password', accepted, 'password_reset'],
  ])('the way back in depends on the state of the account: %s', (_case, account, expected) =>
    expect(recoveryMethodFor(account)).toBe(expected),
  );
});

describe('a password reset', () => {
  it('a password reset sets the password once, ends every sign-in and plans a notification in the same write', () => {
    const decision = reset(waiting);
    expect(decision).toMatchObject({
      state: {
        passwordHash: 'new hash',
        passwordVersion: 2,
        passwordReset: null,
        notifications: [{ about: 'password', to: holder.email, at: NOW }],
        due: { at: NOW, waitMs: 0 },
      },
      events: [{ type: 'identity.credential.revoked', credentialId: '', employeeId: 'emp_1' }],
    });
    expect(reset(stateOf(decision)).ok).toBe(false);
  });

  it.each([
    ['before its hour is over', HOUR - 1, true],
    ['after it', HOUR, false],
  ])('a password reset works only within its hour: %s', (_case, secs, works) => {
    expect(hasPasswordReset(waiting, 'first', after(secs))).toBe(works);
    expect(reset(waiting, 'first', after(secs)).ok).toBe(works);
  });

  it('a password reset ends with a newer one, with any new password, with another address and with the employee', () => {
    const newer = stateOf(beginReset(waiting, holder.email, 'second', NOW));
    expect([reset(newer).ok, reset(newer, 'second').ok]).toEqual([false, true]);
    expect(reset(stateOf(setPassword(waiting, 'hash'))).ok).toBe(false);
    expect(reset(stateOf(describeAccount(waiting, { ...holder, email: 'new@example.com' }, NOW))).ok).toBe(false);
    expect(reset(stateOf(describeAccount(waiting, { ...holder, name: 'Ada L.' }, NOW))).ok).toBe(true);
    expect(reset(stateOf(closeAccount(waiting, NOW))).ok).toBe(false);
  });

  it('a password reset takes an invitation that is still about with it, and leaves the second factor alone', () => {
    const twoFactor = { secret: 'encrypted', lastStep: null, recoveryDigests: [], enrolledAt: NOW };
    const { invitation } = invited;
    expect(stateOf(reset({ ...waiting, invitation, twoFactor }))).toMatchObject({ invitation: null, twoFactor });
  });

  it('a password reset does not start without a password, for a deleted employee or for another address', () => {
    for (const account of [fresh, invited, closed]) expect(beginReset(account, account.email, 'x', NOW).ok).toBe(false);
    expect(beginReset(accepted, 'old@example.com', 'x', NOW).ok).toBe(false);
  });
});
