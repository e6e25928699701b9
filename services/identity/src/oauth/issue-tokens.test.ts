import { createHash } from 'node:crypto';
import { systemClock, trackBackgroundWork } from '@parley/clock';
import { digest, encryptor } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { describe, expect, it } from '@jest/globals';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Grant, type GrantDecision, openGrant, recordResponse, redeemCode } from '../grants/grant.ts';
import { issueTokensRpc, type OAuthDeps } from './issue-tokens.ts';
import { firstTokens, nextTokens, readRefreshToken } from '../grants/token-pair.ts';

const verifier = 'v'.repeat(43);
const CODE = {
  digest: 'code',
  redirectUri: 'https://app.example/cb',
  challenge: createHash('sha256').update(verifier).digest('base64url'),
};

/** Two replicas with one grant in a store whose writes are visible before their responses arrive, which the test decides. */
function startReplicas() {
  const pair = firstTokens();
  const now = systemClock.now();
  const open = { id: 'gra', companyId: 'com', employeeId: 'emp', clientId: 'app', clientName: 'App', scope: 'api' };
  const tokens = {
    accessDigest: digest(pair.accessToken),
    refreshDigest: digest(pair.refreshToken),
    familyDigest: readRefreshToken(pair.refreshToken)!.familyDigest,
  };
  const request = { clientId: 'app', redirectUri: CODE.redirectUri, verifier };
  let grant = redeemCode(openGrant(open, CODE, now).state, request, tokens, now).next as Grant;
  let response = Promise.resolve();
  let writes = 0;
  const grants = {
    byRefreshFamily: async () => grant,
    async recordResponse(_grant: Grant, spentDigest: string, answeredAt: Date) {
      grant = recordResponse(grant, spentDigest, answeredAt).next ?? grant;
    },
    of: () => ({ get: async () => grant }),
    async decide<Outcome>(_grant: Grant, decide: (current: Grant) => GrantDecision<Outcome>) {
      const { outcome, next } = decide(grant);
      if (!next) return outcome;
      grant = next;
      writes += 1;
      await response;
      return outcome;
    },
  };
  const deps = {
    grants,
    clients: { get: async () => ({ id: 'app' }) },
    accounts: { byEmployee: async () => ({}) },
    encryptor: encryptor([Buffer.alloc(32).toString('base64')]),
    clock: systemClock,
    backgroundWork: trackBackgroundWork(),
    log: { warn: () => undefined },
  } as unknown as OAuthDeps;
  const replicas = [issueTokensRpc(deps), issueTokensRpc(deps)];
  return {
    writes: () => writes,
    /** Holds back the responses of writes until it is called. */
    holdResponses() {
      const held = Promise.withResolvers<void>();
      response = held.promise;
      return held.resolve;
    },
    async refresh(replica: number, refreshToken = pair.refreshToken) {
      const earliestSentAt = timestampFromDate(systemClock.now());
      const value = { refreshToken, earliestSentAt };
      const answered = await replicas[replica]!(
        { clientId: 'app', grant: { case: 'refresh', value } } as never,
        {} as never,
      );
      const { outcome } = answered as { outcome: { case: string; value: { refreshToken?: string; error?: string } } };
      return outcome.case === 'tokens' ? outcome.value.refreshToken : outcome.value.error;
    },
  };
}

describe('a refresh token that two replicas get at the same time', () => {
  it('a refresh token that two replicas get at the same time has one answer for all that arrive before it is sent, however long its write takes', async () => {
    const replicas = startReplicas();
    const release = replicas.holdResponses();
    const first = replicas.refresh(0);
    await waitUntil(() => replicas.writes() === 1, { what: 'the rotation' });
    const arrivedAfterRotation = systemClock.now().getTime() + 300;
    await waitUntil(() => systemClock.now().getTime() > arrivedAfterRotation, { what: 'a write that takes long' });
    const others = [replicas.refresh(1), replicas.refresh(0), replicas.refresh(1)];
    // Times have milliseconds: the answer is to be sent in a later one than the requests.
    const sentAt = systemClock.now().getTime();
    await waitUntil(() => systemClock.now().getTime() > sentAt, { what: 'the next millisecond' });
    release();
    const successor = await first;
    expect(successor).toMatch(/^rt_/);
    expect(await Promise.all(others)).toEqual([successor, successor, successor]);
    expect([await replicas.refresh(0), await replicas.refresh(1)]).toEqual(['invalid_grant', 'invalid_grant']);
  });
});

const read = (token: string) => readRefreshToken(token)!;

describe('tokens', () => {
  it('tokens are new each time and of one family per grant', () => {
    const [one, two] = [firstTokens(), firstTokens()];
    expect(one.accessToken).toMatch(/^at_[\w-]{43}$/);
    expect(one.refreshToken).not.toBe(two.refreshToken);
    const sent = read(one.refreshToken);
    const [next, other] = [nextTokens(sent), nextTokens(sent)];
    expect(read(next.refreshToken).familyDigest).toBe(sent.familyDigest);
    expect(new Set([one, next, other].map(({ refreshToken }) => refreshToken)).size).toBe(3);
  });

  it.each(['', 'rt_', 'rt_short', 'at_x', `rt_${'A'.repeat(65)}`, `rt_${'*'.repeat(64)}`])(
    'tokens that cannot be refresh tokens are none: %j',
    (text) => expect(readRefreshToken(text)).toBeUndefined(),
  );
});
