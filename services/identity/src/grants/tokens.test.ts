import { describe, expect, it } from '@jest/globals';
import { firstTokens, nextTokens, readRefreshToken } from './tokens.ts';

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
