import { describe, expect, it } from '@jest/globals';
import { changePolicy, defaultPolicy, mayChangePolicy } from './sign-in-policy.ts';

const now = new Date('2026-03-01T12:00:00Z');
const usual = defaultPolicy('com_1');

describe('a sign-in policy', () => {
  it('a sign-in policy allows the device grant unless it is changed', () => {
    expect(usual).toEqual({ id: 'com_1', companyId: 'com_1', deviceSignIn: true, changedAt: null });
  });

  it('a sign-in policy that changes says when, and what in the audit log', () => {
    const off = changePolicy(usual, { deviceSignIn: false }, now);
    expect(off).toMatchObject({
      ok: true,
      state: { deviceSignIn: false, changedAt: now },
      events: [
        {
          type: 'identity.sign_in_policy.changed',
          deviceSignIn: false,
          audit: {
            type: 'sign_in_policy.changed',
            object: { type: 'sign_in_policy', id: 'com_1' },
            changes: { device_sign_in: { from: true, to: false } },
          },
        },
      ],
    });
  });

  it.each([{}, { deviceSignIn: true }])('a sign-in policy is not changed by %j', (change) => {
    expect(changePolicy(usual, change, now)).toMatchObject({ ok: true, state: { changedAt: null }, events: [] });
  });

  it.each([
    ['owner', 'api_key', true],
    ['owner', 'session', true],
    ['owner', 'oauth_token', false],
    ['admin', 'session', false],
    ['member', 'api_key', false],
  ])('a sign-in policy may be changed by an %s with %s: %s', (role, credentialType, may) => {
    expect(mayChangePolicy({ role, credentialType })).toBe(may);
  });
});
