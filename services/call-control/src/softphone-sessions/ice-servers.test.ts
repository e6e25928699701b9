import { describe, expect, it } from '@jest/globals';
import { iceServerList, iceServersOf } from './ice-servers.ts';

const secret = 'a secret of the TURN server';
const turn = { urls: ['turn:turn.example:3478'], secret };

describe('the ICE servers of a phone', () => {
  it('have a credential of the phone, which ends after the longest call of a session', () => {
    const [given] = iceServersOf([turn], 'emp_1', new Date('2026-03-02T10:00:00.900Z'));
    // Five hours later; the password as `openssl dgst -sha1 -hmac` makes it.
    expect(given).toEqual({
      urls: turn.urls,
      username: '1772463600:emp_1',
      credential: 'RoPs+scPXjBsdLNgbdOa78U5SR8=',
    });
  });

  it('are as they were set where the server has no secret', () => {
    const fixed = { urls: ['turn:turn.example:3478'], username: 'u', credential: 'c' };
    const stun = { urls: ['stun:stun.example:3478'] };
    expect(iceServersOf([stun, fixed], 'emp_1', new Date(0))).toEqual([stun, fixed]);
  });

  it.each([
    [{ ...turn, username: 'u' }],
    [{ ...turn, secret: 'short' }],
    [{ urls: ['https://turn.example'] }],
    [{ urls: [] }],
  ])('may not be set to %j', (server) => {
    expect(iceServerList.safeParse([server]).success).toBe(false);
  });
});
