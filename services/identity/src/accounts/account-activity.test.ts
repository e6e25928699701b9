import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { endSuspension, hasEnded } from './account-activity.ts';
import {
  type Account,
  type AccountHolder,
  closeAccount,
  invite,
  setPassword,
  type AccountDecision,
  isOpen,
} from './account.ts';
import { describeAccount, openAccount } from './describe-account.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOW = new Date('2030-01-01T00:00:00Z');
const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const active: AccountHolder = { id: 'emp_1', companyId: 'com_1', name: 'Ada', email: 'ada@x.dk', revision: 1n };
const deactivated = (revision = 2n, at = NOW): AccountHolder => ({
  ...active,
  revision,
  deactivatedAt: timestampFromDate(at),
  updatedAt: timestampFromDate(at),
});
const reactivated = (at: Date, revision = 3n): AccountHolder => ({
  ...active,
  revision,
  updatedAt: timestampFromDate(at),
});

function stateOf(decision: AccountDecision | ReturnType<typeof setPassword>): Account {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}
const open = stateOf(setPassword(stateOf(openAccount(active, NOW)), 'hash'));
const closed = stateOf(describeAccount(open, deactivated(), NOW));

describe('the account of a deactivated employee', () => {
  it('the account of a deactivated employee ends sessions and links in one write, and the timer of the suspension is set', () => {
    const invited = stateOf(invite(open, { emailVersion: 0, expiresAt: after(7) }, 'digest'));
    const withLinks = { ...invited, passwordReset: { digest: 'reset', expiresAt: after(1) } };
    expect(describeAccount(withLinks, deactivated(), NOW)).toMatchObject({
      state: {
        deactivatedAt: NOW,
        passwordVersion: withLinks.passwordVersion + 1,
        invitation: null,
        passwordReset: null,
        passwordHash: 'hash',
      },
      events: [{ type: 'identity.credential.revoked', credentialId: '', ended: 'all' }],
      timers: { suspension_end: { at: after(30), waitMs: 30 * DAY_MS } },
    });
    expect([isOpen(open), isOpen(closed)]).toEqual([true, false]);
  });

  it('the account of a deactivated employee is the same when the record comes again, or an older one late', () => {
    for (const again of [deactivated(), active])
      expect(describeAccount(closed, again, after(1))).toMatchObject({ state: closed, events: [], timers: {} });
  });

  it('the account of a deactivated employee is closed from the beginning when nothing was known of them', () => {
    expect(openAccount(deactivated(), after(2))).toMatchObject({
      state: { deactivatedAt: NOW },
      timers: { suspension_end: { at: after(30) } },
    });
  });

  it('the account of a deactivated employee takes no password, invitation or notification', () => {
    expect(setPassword(closed, 'other').ok).toBe(false);
    expect(invite(closed, { emailVersion: 0, expiresAt: after(7) }, 'digest').ok).toBe(false);
    const moved = stateOf(describeAccount(closed, { ...deactivated(3n), email: 'new@x.dk' }, NOW));
    expect(moved).toMatchObject({ email: 'new@x.dk', notifications: [], due: null });
  });

  it('the account of a deactivated employee is not opened by the end of the employee', () => {
    const { revision: _, ...gone } = active;
    expect(stateOf(describeAccount(closed, { ...gone, name: '', email: '' }, NOW)).deactivatedAt).toEqual(NOW);
    expect(closeAccount(closed, NOW)).toMatchObject({ state: { deletedAt: NOW }, timers: { suspension_end: null } });
  });
});

describe('the account of a reactivated employee', () => {
  it('the account of a reactivated employee has its keys and grants again within 30 days, and no session of before', () => {
    const decision = describeAccount(closed, reactivated(new Date(after(30).getTime() - 1)), after(40));
    expect(decision).toMatchObject({ events: [], commands: [], timers: { suspension_end: null } });
    const account = stateOf(decision);
    expect(isOpen(account)).toBe(true);
    expect(hasEnded(account, NOW)).toBe(false);
    expect(account.passwordVersion).toBeGreaterThan(open.passwordVersion);
  });

  it('the account of a reactivated employee has none of them after 30 days, also when the timer has not fired', () => {
    const decision = describeAccount(closed, reactivated(after(30)), after(30));
    expect(decision).toMatchObject({ commands: [{ kind: 'remove_credentials', before: after(30) }] });
    expect(hasEnded(stateOf(decision), NOW)).toBe(true);
    expect(hasEnded(stateOf(decision), after(31))).toBe(false);
  });

  it('the account of a reactivated employee has none of them once the timer has fired', () => {
    const decision = endSuspension(closed, after(30));
    expect(decision).toMatchObject({ commands: [{ kind: 'remove_credentials', before: after(30) }] });
    const account = stateOf(describeAccount(stateOf(decision), reactivated(after(29)), after(31)));
    expect(hasEnded(account, NOW)).toBe(true);
    expect(endSuspension(account, after(60))).toMatchObject({ state: account, commands: [] });
  });

  it('the account of a reactivated employee begins another suspension when they are deactivated again unseen', () => {
    const again = describeAccount(closed, deactivated(4n, after(20)), after(20));
    expect(again).toMatchObject({ state: { deactivatedAt: after(20) }, timers: { suspension_end: { at: after(50) } } });
  });
});
