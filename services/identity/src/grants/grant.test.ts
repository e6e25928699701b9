import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { dueIn } from '@parley/errors';
import { accessUntil, type Grant, openGrant, redeemCode, refreshGrant, removeAnswers, returnToken } from './grant.ts';

const START = new Date('2030-01-01T00:00:00Z');
const at = (secs: number) => new Date(START.getTime() + secs * 1000);
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const CODE = { digest: 'code', redirectUri: 'https://app.example/cb', challenge };
const REQUEST = { clientId: 'app', redirectUri: CODE.redirectUri, verifier };
const tokens = (n: number) => ({ accessDigest: `access-${n}`, refreshDigest: `refresh-${n}` });

const opened = openGrant(
  { id: 'gra', companyId: 'com', employeeId: 'emp', clientId: 'app', scope: 'api' },
  CODE,
  START,
).state;
const redeemed = redeemCode(opened, REQUEST, { ...tokens(1), familyDigest: 'family' }, at(1)).next as Grant;

function rotate(grant: Grant, n: number, secs: number) {
  const request = { clientId: 'app', digest: `refresh-${n}`, arrivedAt: at(secs), wasCurrent: true };
  return refreshGrant(grant, request, { ...tokens(n + 1), answer: `answer-${n}` }, at(secs));
}
const rotated = rotate(redeemed, 1, 100).next as Grant;

describe('redeemCode', () => {
  const redeem = (grant: Grant, changes: Partial<typeof REQUEST>, secs: number) =>
    redeemCode(grant, { ...REQUEST, ...changes }, { ...tokens(9), familyDigest: 'f' }, at(secs));

  it('gives tokens within ten minutes', () => {
    expect(redeem(opened, {}, 599).outcome).toBe('issued');
    expect(redeem(opened, {}, 600).outcome).toEqual({ problem: 'the code has expired' });
  });

  it.each([
    ['another client', { clientId: 'other' }],
    ['another redirect address', { redirectUri: 'https://evil.example' }],
    ['another verifier', { verifier: 'w'.repeat(43) }],
    ['a verifier that is too short', { verifier: 'v'.repeat(42) }],
    ['the challenge itself', { verifier: challenge }],
  ])('refuses %s and leaves the code as it is', (_case, changes) => {
    const { outcome, next } = redeem(opened, changes, 1);
    expect(outcome).toHaveProperty('problem');
    expect(next).toBeUndefined();
  });

  it('ends the grant when the code comes a second time, whatever else is wrong or late', () => {
    for (const [changes, secs] of [
      [{}, 2],
      [{ verifier: 'x' }, 2],
      [{}, 10_000],
    ] as const) {
      expect(redeem(redeemed, changes, secs)).toMatchObject({
        outcome: { isEnd: true },
        next: null,
        events: [{ type: 'identity.credential.revoked', credentialId: 'gra', employeeId: 'emp' }],
      });
    }
  });

  it('does not let another client end it', () => {
    expect(redeem(redeemed, { clientId: 'other' }, 2).next).toBeUndefined();
  });
});

describe('refreshGrant', () => {
  const refresh = (grant: Grant, digest: string, arrived: number, now = arrived, clientId = 'app') =>
    refreshGrant(
      grant,
      { clientId, digest, arrivedAt: at(arrived), wasCurrent: false },
      { ...tokens(7), answer: 'answer-7' },
      at(now),
    );

  it('rotates the current token for 30 days from its issue', () => {
    expect(refresh(redeemed, 'refresh-1', 30 * 86_400).outcome).toBe('rotated');
    expect(refresh(redeemed, 'refresh-1', 30 * 86_400 + 1).outcome).toHaveProperty('problem');
  });

  it('shares the answer with a request that arrived before the answer was sent', () => {
    const shared = { sharedAnswer: 'answer-1', issuedAt: at(100) };
    for (const secs of [99, 100, 100.249]) expect(refresh(rotated, 'refresh-1', secs, 101).outcome).toEqual(shared);
    expect(refresh(rotated, 'refresh-1', 100.25, 101).outcome).toHaveProperty('problem');
  });

  it('shares the answer with a request that has read the grant before the rotation, however fast its clock is', () => {
    const request = { clientId: 'app', digest: 'refresh-1', arrivedAt: at(105), wasCurrent: true };
    const { outcome, next } = refreshGrant(rotated, request, { ...tokens(7), answer: 'answer-7' }, at(105));
    expect(outcome).toEqual({ sharedAnswer: 'answer-1', issuedAt: at(100) });
    expect(next).toBeUndefined();
  });

  it('keeps the encrypted answer for a few seconds', () => {
    expect(rotate(redeemed, 1, 100).timers).toEqual({ remove_answers: dueIn(at(100), 5000) });
    const removed = removeAnswers(rotated);
    expect(removed.refresh?.spent).toEqual([{ digest: 'refresh-1', answer: null, spentAt: at(100) }]);
    expect(refresh(removed, 'refresh-1', 99, 101).outcome).toEqual({ problem: expect.any(String) });
  });

  it('only refuses a spent token for 30 seconds', () => {
    for (const secs of [101, 115, 130]) {
      const { outcome, next } = refresh(rotated, 'refresh-1', secs);
      expect(outcome).toEqual({ problem: expect.any(String) });
      expect(next).toBeUndefined();
    }
  });

  it('ends the grant when a spent token comes after that', () => {
    expect(refresh(rotated, 'refresh-1', 131)).toMatchObject({ outcome: { isEnd: true }, next: null });
  });

  it('tells a mistake from theft for each spent token by its own time', () => {
    const twice = rotate(rotated, 2, 120).next as Grant;
    expect(refresh(twice, 'refresh-1', 125).next).toBeUndefined();
    expect(refresh(twice, 'refresh-1', 131).next).toBeNull();
    expect(refresh(twice, 'refresh-2', 150).next).toBeUndefined();
  });

  it('never shares an answer that has itself been used, for that would be a second chain', () => {
    const twice = rotate(rotated, 2, 100).next as Grant;
    expect(refresh(twice, 'refresh-1', 99, 101).outcome).toHaveProperty('problem');
  });

  it('ends the grant for a token of the family it has never issued or has long forgotten', () => {
    expect(refresh(rotated, 'refresh-0', 101)).toMatchObject({ outcome: { isEnd: true }, next: null });
  });

  it('takes a rotation from the future, left by a clock that went back, for a mistake', () => {
    expect(refresh(rotated, 'refresh-1', 10).outcome).toEqual({ problem: expect.any(String) });
    expect(refresh(rotated, 'refresh-1', 10).next).toBeUndefined();
  });

  it('is for the client it was issued to', () => {
    expect(refresh(rotated, 'refresh-2', 101, 101, 'other')).toEqual({ outcome: { problem: expect.any(String) } });
  });

  it('keeps the document small however often it rotates', () => {
    let grant = redeemed;
    for (let n = 1; n <= 200; n++) grant = rotate(grant, n, 100 + n).next as Grant;
    expect(grant.accessTokens.length).toBeLessThanOrEqual(10);
    expect(grant.refresh?.spent.length).toBeLessThanOrEqual(31);
  });
});

describe('accessUntil', () => {
  it('is an hour after the issue, and nothing for any other token', () => {
    expect(accessUntil(redeemed, 'access-1', at(3600))).toEqual(at(3601));
    expect(accessUntil(redeemed, 'access-1', at(3601))).toBeUndefined();
    expect(accessUntil(redeemed, 'refresh-1', at(2))).toBeUndefined();
  });
});

describe('returnToken', () => {
  it('ends the grant with its refresh token, and only the one access token with an access token', () => {
    expect(returnToken(rotated, 'app', undefined).next).toBeNull();
    const { next } = returnToken(rotated, 'app', 'access-1');
    expect(next?.accessTokens.map(({ digest }) => digest)).toEqual(['access-2']);
    expect(returnToken(rotated, 'other', undefined)).toEqual({ outcome: false });
  });
});
