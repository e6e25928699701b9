import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  accessUntil,
  type Grant,
  openDeviceGrant,
  openGrant,
  recordResponse,
  redeemCode,
  refreshGrant,
  returnToken,
} from './grant.ts';

const START = new Date('2030-01-01T00:00:00Z');
const at = (secs: number) => new Date(START.getTime() + secs * 1000);
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const CODE = { digest: 'code', redirectUri: 'https://app.example/cb', challenge };
const REQUEST = { clientId: 'app', redirectUri: CODE.redirectUri, verifier };
const tokens = (n: number) => ({ accessDigest: `access-${n}`, refreshDigest: `refresh-${n}` });

const opened = openGrant(
  { id: 'gra', companyId: 'com', employeeId: 'emp', clientId: 'app', clientName: 'App', scope: 'api' },
  CODE,
  START,
).state;
const redeemed = redeemCode(opened, REQUEST, { ...tokens(1), familyDigest: 'family' }, at(1)).next as Grant;

function rotate(grant: Grant, n: number, secs: number) {
  const request = {
    clientId: 'app',
    digest: `refresh-${n}`,
    earliestSentAt: at(secs),
    hasWaited: false,
    wasCurrent: true,
  };
  return refreshGrant(grant, request, { ...tokens(n + 1), encryptedResponse: `answer-${n}` }, at(secs));
}
/** The token was rotated, and the answer is not sent yet. */
const unanswered = rotate(redeemed, 1, 100).next as Grant;
const ANSWERED = 100.7;
const rotated = recordResponse(unanswered, 'refresh-1', at(ANSWERED)).next as Grant;

describe('redeemCode', () => {
  const redeem = (grant: Grant, changes: Partial<typeof REQUEST>, secs: number) =>
    redeemCode(grant, { ...REQUEST, ...changes }, { ...tokens(9), familyDigest: 'f' }, at(secs));

  it('redeemCode gives tokens within ten minutes', () => {
    expect(redeem(opened, {}, 599).outcome).toBe('issued');
    expect(redeem(opened, {}, 600).outcome).toEqual({ problem: 'the code has expired' });
  });

  it.each([
    ['another client', { clientId: 'other' }],
    ['another redirect address', { redirectUri: 'https://evil.example' }],
    ['another verifier', { verifier: 'w'.repeat(43) }],
    ['a verifier that is too short', { verifier: 'v'.repeat(42) }],
    ['the challenge itself', { verifier: challenge }],
  ])('redeemCode refuses %s and leaves the code as it is', (_case, changes) => {
    const { outcome, next } = redeem(opened, changes, 1);
    expect(outcome).toHaveProperty('problem');
    expect(next).toBeUndefined();
  });

  it('redeemCode ends the grant when the code comes a second time, whatever else is wrong or late', () => {
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

  it('redeemCode does not let another client end the grant', () => {
    expect(redeem(redeemed, { clientId: 'other' }, 2).next).toBeUndefined();
  });
});

describe('refreshGrant', () => {
  const refresh = (grant: Grant, digest: string, sent: number, now = sent, clientId = 'app', hasWaited = false) =>
    refreshGrant(
      grant,
      { clientId, digest, earliestSentAt: at(sent), wasCurrent: false, hasWaited },
      { ...tokens(7), encryptedResponse: 'answer-7' },
      at(now),
    );
  const refused = { kind: 'refused', problem: expect.any(String) };
  const shared = { kind: 'replayed', replay: expect.objectContaining({ encrypted: 'answer-1' }), issuedAt: at(100) };

  it('refreshGrant rotates the current token for 30 days from its issue', () => {
    expect(refresh(redeemed, 'refresh-1', 30 * 86_400).outcome).toMatchObject({ kind: 'rotated' });
    expect(refresh(redeemed, 'refresh-1', 30 * 86_400 + 1).outcome).toEqual(refused);
  });

  it('refreshGrant shares the answer with a request that arrived before it was sent, however long that took', () => {
    expect(rotate(redeemed, 1, 100).outcome).toEqual({ kind: 'rotated' });
    expect(refresh(rotated, 'refresh-1', ANSWERED - 0.001, 102).outcome).toEqual(shared);
    expect(refresh(rotated, 'refresh-1', ANSWERED, 102).outcome).toEqual(refused);
  });

  it('refreshGrant lets a request wait that may have arrived before an answer that is still to be sent', () => {
    expect(refresh(unanswered, 'refresh-1', 100.5)).toEqual({ outcome: { kind: 'undecided' } });
    expect(refresh(unanswered, 'refresh-1', 100, 101).outcome).toEqual(shared);
  });

  it('refreshGrant shares an answer that is never sent, because the process that rotated has crashed', () => {
    expect(refresh(unanswered, 'refresh-1', 101, 103, 'app', true).outcome).toEqual(shared);
    expect(refresh(unanswered, 'refresh-1', 105, 105, 'app', true).outcome).toEqual(refused);
  });

  it('refreshGrant records the first time of an answer, and only of the token it is about', () => {
    expect(recordResponse(rotated, 'refresh-1', at(103)).next).toBeUndefined();
    expect(recordResponse(unanswered, 'refresh-0', at(103)).next).toBeUndefined();
  });

  it('refreshGrant shares the answer with a request that has read the grant before the rotation, however fast its clock is', () => {
    const request = {
      clientId: 'app',
      digest: 'refresh-1',
      earliestSentAt: at(104),
      hasWaited: false,
      wasCurrent: true,
    };
    const { outcome, next } = refreshGrant(rotated, request, { ...tokens(7), encryptedResponse: 'answer-7' }, at(104));
    expect(outcome).toEqual(shared);
    expect(next).toBeUndefined();
  });

  it('refreshGrant shares the response for five seconds', () => {
    expect(refresh(rotated, 'refresh-1', 99, 104.999).outcome).toEqual(shared);
    expect(refresh(rotated, 'refresh-1', 99, 105).outcome).toEqual(refused);
    const { rotationReplay: _, ...removed } = rotated;
    expect(refresh(removed, 'refresh-1', 99, 101).outcome).toEqual(refused);
  });

  it('refreshGrant only refuses a spent token for 30 seconds', () => {
    for (const secs of [101, 115, 130]) {
      const { outcome, next } = refresh(rotated, 'refresh-1', secs);
      expect(outcome).toEqual(refused);
      expect(next).toBeUndefined();
    }
  });

  it('refreshGrant ends the grant when a spent token comes after that', () => {
    expect(refresh(rotated, 'refresh-1', 131)).toMatchObject({ outcome: { isEnd: true }, next: null });
  });

  it('refreshGrant distinguishes a repeated request from theft for each spent token by its own time', () => {
    const twice = rotate(rotated, 2, 120).next as Grant;
    expect(refresh(twice, 'refresh-1', 125).next).toBeUndefined();
    expect(refresh(twice, 'refresh-1', 131).next).toBeNull();
    expect(refresh(twice, 'refresh-2', 150).next).toBeUndefined();
  });

  it('refreshGrant never shares an answer that has itself been used, for that would be a second chain', () => {
    const twice = rotate(rotated, 2, 100).next as Grant;
    expect(refresh(twice, 'refresh-1', 99, 101).outcome).toEqual(refused);
  });

  it('refreshGrant ends the grant for a token of the family it has never issued or no longer stores', () => {
    expect(refresh(rotated, 'refresh-0', 101)).toMatchObject({ outcome: { isEnd: true }, next: null });
  });

  it('refreshGrant takes a rotation from the future, left by a clock that went back, for a mistake', () => {
    expect(refresh(rotated, 'refresh-1', 10).outcome).toEqual(refused);
    expect(refresh(rotated, 'refresh-1', 10).next).toBeUndefined();
  });

  it('refreshGrant is for the client it was issued to', () => {
    expect(refresh(rotated, 'refresh-2', 101, 101, 'other')).toEqual({ outcome: refused });
  });

  it('refreshGrant keeps the document small however often it rotates', () => {
    let grant = redeemed;
    for (let n = 1; n <= 200; n++) grant = rotate(grant, n, 100 + n).next as Grant;
    expect(grant.accessTokens.length).toBeLessThanOrEqual(10);
    expect(grant.refresh?.spent.length).toBeLessThanOrEqual(31);
  });
});

describe('accessUntil', () => {
  it('accessUntil is an hour after the issue, and nothing for any other token', () => {
    expect(accessUntil(redeemed, 'access-1', at(3600))).toEqual(at(3601));
    expect(accessUntil(redeemed, 'access-1', at(3601))).toBeUndefined();
    expect(accessUntil(redeemed, 'refresh-1', at(2))).toBeUndefined();
  });
});

describe('returnToken', () => {
  it('returnToken ends the grant with its refresh token, and only the one access token with an access token', () => {
    expect(returnToken(rotated, 'app', undefined).next).toBeNull();
    const { next } = returnToken(rotated, 'app', 'access-1');
    expect(next?.accessTokens.map(({ digest }) => digest)).toEqual(['access-2']);
    expect(returnToken(rotated, 'other', undefined)).toEqual({ outcome: false });
  });
});

describe('openDeviceGrant', () => {
  const grant = { id: 'gra', companyId: 'com', employeeId: 'emp', clientId: 'app', clientName: 'App', scope: 'api' };
  const { state, events } = openDeviceGrant(
    grant,
    { digest: 'device', expiresAt: at(600) },
    { ...tokens(1), familyDigest: 'family' },
    START,
  );

  it('openDeviceGrant begins with its tokens, and says in the audit log where they come from', () => {
    expect(accessUntil(state, 'access-1', at(3599))).toEqual(at(3600));
    expect(state).toMatchObject({
      refresh: { digest: 'refresh-1', familyDigest: 'family' },
      expiresAt: at(30 * 86_400),
    });
    expect(events).toMatchObject([
      {
        type: 'identity.grant.created',
        audit: {
          type: 'connected_app.created',
          object: { type: 'connected_app', id: 'gra', name: 'App' },
          changes: { employee_id: { from: null, to: 'emp' }, grant: { from: null, to: 'device_code' } },
        },
      },
    ]);
  });

  it('openDeviceGrant makes a grant that is refreshed and revoked as others', () => {
    expect(rotate(state, 1, 100).outcome).toEqual({ kind: 'rotated' });
    expect(returnToken(state, 'app', undefined)).toMatchObject({ outcome: true, next: null });
  });

  it('openDeviceGrant makes no authorization code of the device code', () => {
    const again = redeemCode(state, { ...REQUEST, redirectUri: '' }, { ...tokens(2), familyDigest: 'f' }, at(1));
    expect(again).toEqual({ outcome: { problem: 'the code is unknown' } });
  });
});
