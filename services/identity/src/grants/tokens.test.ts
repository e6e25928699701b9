import { describe, expect, it } from '@jest/globals';
import { readRefreshToken, tokenMint } from './tokens.ts';

const mint = tokenMint('a key');
const read = (token: string) => readRefreshToken(token)!;

describe('tokens', () => {
  it('are new each time and of one family per grant', () => {
    const [one, two] = [mint.first(), mint.first()];
    expect(one.accessToken).toMatch(/^at_[\w-]{43}$/);
    expect(one.refreshToken).not.toBe(two.refreshToken);
    const next = mint.successor(read(one.refreshToken), 'salt');
    expect(read(next.refreshToken).familyDigest).toBe(read(one.refreshToken).familyDigest);
    expect(read(next.refreshToken).digest).not.toBe(read(one.refreshToken).digest);
  });

  it('follow from token, salt and key, and from nothing less', () => {
    const sent = read(mint.first().refreshToken);
    const pair = mint.successor(sent, 'salt');
    expect(tokenMint('a key').successor(sent, 'salt')).toEqual(pair);
    expect(tokenMint('another key').successor(sent, 'salt')).not.toEqual(pair);
    expect(mint.successor(sent, 'other salt')).not.toEqual(pair);
    expect(mint.successor(read(mint.first().refreshToken), 'salt')).not.toEqual(pair);
  });

  it.each(['', 'rt_', 'rt_short', 'at_x', `rt_${'A'.repeat(65)}`, `rt_${'*'.repeat(64)}`])(
    'that cannot be refresh tokens are none: %j',
    (text) => expect(readRefreshToken(text)).toBeUndefined(),
  );
});
