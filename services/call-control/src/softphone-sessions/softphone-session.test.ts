import { describe, expect, it } from '@jest/globals';
import {
  addSession,
  type EmployeeSoftphoneSessions,
  endSessionsOf,
  liveSessions,
  type MadeWith,
  revokeSession,
} from './softphone-session.ts';

const start = new Date('2026-01-05T09:00:00Z');
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const none: EmployeeSoftphoneSessions = { id: 'emp_1', companyId: 'com_1', sessions: [] };

const withKey: MadeWith = { credentialType: 'api_key', credentialId: 'key_1' };
const withSession: MadeWith = { credentialType: 'session', credentialId: 'ses_1' };

function add(
  current: EmployeeSoftphoneSessions,
  id: string,
  now = start,
  madeWith: MadeWith = withKey,
): EmployeeSoftphoneSessions {
  const decision = addSession(current, { id, a1Encrypted: `a1 of ${id}`, madeWith }, now);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.state;
}
const ids = (current: EmployeeSoftphoneSessions, now = start) => liveSessions(current, now).map(({ id }) => id);

describe('softphone sessions', () => {
  it('softphone sessions are valid concurrently, for an hour each', () => {
    const two = add(add(none, 'a'), 'b', at(30));
    expect([ids(two, at(59)), ids(two, at(60)), ids(two, at(90))]).toEqual([['a', 'b'], ['b'], []]);
  });

  it('softphone sessions are revoked alone; one that is not there is unknown', () => {
    const two = add(add(none, 'a'), 'b');
    const revoked = revokeSession(two, 'a', start);
    expect(revoked).toMatchObject({ ok: true, state: { sessions: [{ id: 'b' }] } });
    expect(revokeSession(two, 'c', start)).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
    expect(revokeSession(two, 'a', at(60))).toMatchObject({ ok: false });
  });

  it('softphone sessions are bounded: the oldest is revoked for a new one', () => {
    let many = none;
    for (let count = 0; count < 60; count += 1) many = add(many, `s${count}`, at(count / 10));
    expect([many.sessions.length, many.sessions[0]?.id, many.sessions.at(-1)?.id]).toEqual([50, 's10', 's59']);
  });

  it('softphone sessions from a future that a moved clock took back are not valid for longer than an hour', () => {
    expect(ids(add(none, 'a', at(600)), start)).toEqual([]);
  });

  describe('softphone sessions and the credential they were made with', () => {
    const three = add(add(add(none, 'a'), 'b', start, withSession), 'c', at(1), {
      ...withSession,
      credentialId: 'ses_2',
    });
    const end = (ended: Parameters<typeof endSessionsOf>[1], from = three) => {
      const decision = endSessionsOf(from, ended, at(2));
      if (!decision.ok) throw new Error('refused');
      return { live: ids(decision.state, at(2)), outcome: decision.outcome, state: decision.state };
    };

    it('softphone sessions end alone with the credential they were made with', () => {
      expect(end({ what: 'one', credentialId: 'key_1' })).toMatchObject({ live: ['b', 'c'], outcome: ['a'] });
      expect(end({ what: 'one', credentialId: 'key_2' })).toMatchObject({ outcome: [], state: three });
    });

    it('softphone sessions end with every sign-in that was there when the password changed', () => {
      expect(end({ what: 'sessions', at: start })).toMatchObject({ live: ['a', 'c'], outcome: ['b'] });
      expect(end({ what: 'sessions', at: at(1) })).toMatchObject({ live: ['a'], outcome: ['b', 'c'] });
    });

    it('softphone sessions end with all credentials of their employee', () => {
      expect(end({ what: 'all' })).toMatchObject({ live: [], outcome: ['a', 'b', 'c'] });
    });

    it('softphone sessions are named again when the same event arrives again, after a crash', () => {
      const { state } = end({ what: 'one', credentialId: 'key_1' });
      expect(end({ what: 'one', credentialId: 'key_1' }, state)).toMatchObject({ outcome: ['a'], live: ['b', 'c'] });
      expect(end({ what: 'one', credentialId: 'key_1' }, state).state).toBe(state);
    });
  });
});
