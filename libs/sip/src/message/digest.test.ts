import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { answerChallenge, readCredentials, verifyDigest } from './digest.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('readCredentials', () => {
  it('readCredentials reads quoted and plain parameters', () => {
    expect(readCredentials('Digest username="emp_1", realm="parley.invalid", qop=auth, nc=00000001')).toEqual({
      username: 'emp_1',
      realm: 'parley.invalid',
      qop: 'auth',
      nc: '00000001',
    });
  });

  it('readCredentials knows no other scheme', () => {
    expect(readCredentials('Basic abc')).toBeUndefined();
    expect(readCredentials('')).toBeUndefined();
  });
});

describe('fits', () => {
  // The example of RFC 2617, section 3.5.
  const credentials = {
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    uri: '/dir/index.html',
    qop: 'auth',
    nc: '00000001',
    cnonce: '0a4f113b',
    response: '6629fae49393a05397450978507c4ef1',
  };
  const a1 = md5('Mufasa:testrealm@host.com:Circle Of Life');

  it('fits accepts the response made with the secret', () => {
    expect(verifyDigest(a1, 'GET', credentials)).toBe(true);
  });

  it('fits refuses another secret, another method, a replay with another count, and no response', () => {
    expect(verifyDigest(md5('Mufasa:testrealm@host.com:other'), 'GET', credentials)).toBe(false);
    expect(verifyDigest(a1, 'POST', credentials)).toBe(false);
    expect(verifyDigest(a1, 'GET', { ...credentials, nc: '00000002' })).toBe(false);
    expect(verifyDigest(a1, 'GET', {})).toBe(false);
  });
});

describe('answerChallenge', () => {
  it('answerChallenge makes credentials that are verified with the same secret', () => {
    const challenge = 'Digest realm="parley.invalid", nonce="n1", algorithm=MD5, qop="auth"';
    const request = { method: 'INVITE', uri: 'sip:1@parley.invalid', username: 'emp_1', password: 'secret' };
    const credentials = readCredentials(answerChallenge(challenge, request))!;
    expect(verifyDigest(md5('emp_1:parley.invalid:secret'), 'INVITE', credentials)).toBe(true);
    expect(verifyDigest(md5('emp_1:parley.invalid:other'), 'INVITE', credentials)).toBe(false);
  });
});
