import { describe, expect, it } from '@jest/globals';
import { newSecret, digest, digestsEqual } from './new-secret.ts';

describe('digest', () => {
  it('digest is SHA-256 in base64url', () => {
    expect(digest('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });

  it.each([
    [digest('a'), digest('a'), true],
    [digest('a'), digest('b'), false],
    [digest('a'), digest('a').slice(1), false],
    [digest('a'), '', false],
    ['', '', true],
  ])('the digest %s equals %s: %s', (a, b, equal) => {
    expect(digestsEqual(a, b)).toBe(equal);
  });
});

describe('newSecret', () => {
  it('newSecret has its prefix, 256 bits, and is never the same', () => {
    const secrets = Array.from({ length: 1_000 }, () => newSecret('apiKey'));
    expect(secrets.filter((secret) => !/^pk_[\w-]{43}$/.test(secret))).toEqual([]);
    expect(new Set(secrets).size).toBe(1_000);
  });

  it('newSecret is in plain base64 where a format requires it', () => {
    expect(newSecret('webhookSigning', 'base64')).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
