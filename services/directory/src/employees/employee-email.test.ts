import { describe, expect, it } from '@jest/globals';
import { changedEmail, confirmedEmail, type EmailFields } from './employee-email.ts';

type Holder = EmailFields & { readonly invitationPending: boolean };
const signedIn: Holder = {
  email: 'Old@x.dk',
  emailKey: 'old@x.dk',
  invitationPending: false,
  emailKeys: ['old@x.dk'],
  emailChange: 0,
};
const invited: Holder = { ...signedIn, invitationPending: true };
const change = (from: Holder, ...emails: string[]) => emails.reduce(changedEmail<Holder>, from);

describe('another address', () => {
  it('the new address of an employee who has signed in waits, and both are reserved', () => {
    expect(change(signedIn, 'New@x.dk')).toEqual({
      email: 'New@x.dk',
      emailKey: 'new@x.dk',
      emailKeys: ['new@x.dk', 'old@x.dk'],
      signInEmail: 'Old@x.dk',
      emailChange: 1,
      invitationPending: false,
    });
  });

  it('another address counts at once before the first sign-in', () => {
    const changed = change(invited, 'new@x.dk');
    expect(changed).toMatchObject({ email: 'new@x.dk', emailKeys: ['new@x.dk'], emailChange: 1 });
    expect(changed).not.toHaveProperty('signInEmail');
  });

  it('an address that follows another one releases that and keeps the confirmed one', () => {
    expect(change(signedIn, 'new@x.dk', 'newer@x.dk')).toMatchObject({
      emailKeys: ['newer@x.dk', 'old@x.dk'],
      signInEmail: 'Old@x.dk',
      emailChange: 2,
    });
  });

  it('an address that is the confirmed one again ends the wait', () => {
    const back = change(signedIn, 'new@x.dk', 'OLD@x.dk');
    expect(back).toMatchObject({ email: 'OLD@x.dk', emailKeys: ['old@x.dk'], emailChange: 2 });
    expect(back).not.toHaveProperty('signInEmail');
  });

  it('another spelling of an address is the same one', () => {
    expect(change(signedIn, 'OLD@x.dk')).toEqual({ ...signedIn, email: 'OLD@x.dk' });
    const waiting = change(signedIn, 'new@x.dk');
    expect(change(waiting, 'NEW@x.dk')).toEqual({ ...waiting, email: 'NEW@x.dk' });
  });

  it('the new address is the only one once it is confirmed', () => {
    const confirmed = confirmedEmail(change(signedIn, 'new@x.dk'));
    expect(confirmed).toMatchObject({ email: 'new@x.dk', emailKeys: ['new@x.dk'], emailChange: 1 });
    expect(confirmed).not.toHaveProperty('signInEmail');
  });
});
