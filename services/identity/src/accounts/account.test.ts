import { describe, expect, it } from '@jest/globals';
import { acceptInvitation, type Account, closeAccount, invite, setPassword } from './account.ts';
import { describeAccount, openAccount } from './describe-account.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const LATER = new Date('2030-01-08T00:00:00Z');
const holder = { id: 'emp_1', companyId: 'com_1', name: 'Ada', email: 'Ada@Example.com' };

function stateOf(decision: ReturnType<typeof openAccount>): Account {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}
const open = stateOf(openAccount(holder, NOW));
const closed = stateOf(closeAccount(stateOf(setPassword(open, 'hash')), NOW));

describe('an account', () => {
  it('an account is found by its address however it is written', () => {
    expect(open).toMatchObject({ id: 'acc_1', emailKey: 'ada@example.com', email: 'Ada@Example.com' });
  });

  it('an account ends every sign-in with a new password', () => {
    expect(setPassword(open, 'hash')).toMatchObject({
      state: { passwordVersion: 1 },
      events: [{ type: 'identity.credential.revoked', credentialId: '', employeeId: 'emp_1' }],
    });
  });

  it.each([
    ['another address', { email: 'new@example.com' }, ['Ada@Example.com']],
    ['the same address, written in another way', { email: 'ada@example.com' }, []],
    ['another name', { name: 'Ada L.' }, []],
    ['no address, because the employee is about to be ended', { email: '' }, []],
  ])('an account notifies the old address of %s', (_case, change, notified) => {
    const described = stateOf(describeAccount(stateOf(setPassword(open, 'hash')), { ...holder, ...change }, NOW));
    expect(described.notifications?.map(({ to }) => to)).toEqual(notified);
    expect(described.due).toEqual(notified.length > 0 ? { at: NOW, waitMs: 0 } : null);
    expect(stateOf(describeAccount(open, { ...holder, ...change }, NOW)).notifications).toEqual([]);
  });

  it('an account is emptied when the employee is deleted, and nothing brings it back', () => {
    expect(closed).toMatchObject({ name: '', email: '', emailKey: null, passwordHash: null, invitation: null });
    expect(setPassword(closed, 'hash').ok).toBe(false);
    expect(invite(closed, { emailVersion: 0, expiresAt: LATER }, 'digest').ok).toBe(false);
    expect(stateOf(describeAccount(closed, holder, LATER)).emailKey).toBeNull();
    expect(closeAccount(closed, LATER)).toMatchObject({ state: { deletedAt: NOW }, events: [] });
  });
});

describe('an invitation', () => {
  const once = stateOf(invite(open, { emailVersion: 0, expiresAt: LATER }, 'first'));
  const invited = stateOf(invite(once, { emailVersion: 0, expiresAt: LATER }, 'second'));

  it.each(['first', 'second'])('an invitation is accepted by the link of the %s e-mail, and then by none', (digest) => {
    const accepted = stateOf(acceptInvitation(invited, digest, 'hash', NOW));
    expect(accepted).toMatchObject({ passwordHash: 'hash', invitation: null });
    expect(acceptInvitation(accepted, digest, 'hash', NOW).ok).toBe(false);
  });

  it('an invitation ends when the address changes, and is not sent to the old one', () => {
    const moved = stateOf(describeAccount(invited, { ...holder, email: 'new@example.com' }, NOW));
    expect(acceptInvitation(moved, 'first', 'hash', NOW).ok).toBe(false);
    expect(invite(moved, { emailVersion: 0, expiresAt: LATER }, 'third').ok).toBe(false);
    expect(stateOf(describeAccount(invited, { ...holder, name: 'Ada L.' }, NOW)).invitation).toEqual(
      invited.invitation,
    );
  });

  it('an invitation that is made anew ends the older one', () => {
    const anew = stateOf(invite(invited, { emailVersion: 0, expiresAt: new Date(LATER.getTime() + 1) }, 'third'));
    expect(anew.invitation?.digests).toEqual(['third']);
    expect(acceptInvitation(anew, 'second', 'hash', NOW).ok).toBe(false);
  });

  it('an invitation is refused when it is unknown or too late', () => {
    expect(acceptInvitation(invited, 'third', 'hash', NOW).ok).toBe(false);
    expect(acceptInvitation(invited, 'first', 'hash', LATER).ok).toBe(false);
    expect(acceptInvitation(open, 'first', 'hash', NOW).ok).toBe(false);
  });
});
