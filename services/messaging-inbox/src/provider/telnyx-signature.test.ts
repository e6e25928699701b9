import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSignedBy, readPublicKey } from './telnyx-signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const shown = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
const keys = [readPublicKey(shown)];
const now = new Date('2026-03-01T12:00:00Z');
const rawBody = Buffer.from('{"data":{}}');

function signed(at: Date, body = rawBody) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), privateKey).toString('base64');
  return { rawBody: body, signature, timestamp };
}
const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('the signature of a callback', () => {
  it.each([0, -299, -300, 300])('the signature of a callback made %i seconds from now counts', (seconds) => {
    expect(isSignedBy(keys, signed(secondsFromNow(seconds)), now)).toBe(true);
  });

  it.each([-301, 301, -86_400])('the signature of a callback made %i seconds from now does not count', (seconds) => {
    expect(isSignedBy(keys, signed(secondsFromNow(seconds)), now)).toBe(false);
  });

  it('the signature of a callback counts while one of several keys made it', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(isSignedBy([other, ...keys], signed(now), now)).toBe(true);
    expect(isSignedBy([other], signed(now), now)).toBe(false);
  });

  it.each([
    ['another body', { rawBody: Buffer.from('{"data":{ }}') }],
    ['another time', { timestamp: String(now.getTime() / 1000 - 1) }],
    ['no signature', { signature: '' }],
    ['no base64', { signature: '!!!' }],
    ['half a signature', { signature: 'AAAA' }],
    ['no time', { timestamp: '' }],
    ['a time that is none', { timestamp: 'now' }],
  ])('the signature of a callback does not count with %s', (_name, change) => {
    expect(isSignedBy(keys, { ...signed(now), ...change }, now)).toBe(false);
  });
});
