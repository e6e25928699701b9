import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { encryptor } from './encryptor.ts';

const oldKey = randomBytes(32).toString('base64');
const newKey = randomBytes(32).toString('base64');

describe('an encryptor', () => {
  it.each(['', 'secret', 'Grüße 👋🏽', 'x'.repeat(100_000)])('an encryptor decrypts to the original text: %#', (text) => {
    const { encrypt, decrypt } = encryptor(oldKey);
    expect(decrypt(encrypt(text, 'a'), 'a')).toBe(text);
  });

  it('an encryptor never writes the same text twice in the same way, and never readably', () => {
    const { encrypt } = encryptor(oldKey);
    const written = Array.from({ length: 100 }, () => encrypt('the same words', 'a'));
    expect(new Set(written).size).toBe(100);
    expect(written.filter((text) => Buffer.from(text.split('.')[2] ?? '', 'base64url').includes('words'))).toEqual([]);
  });

  it('an encryptor repeatably writes the same text of a context in the same way, and any other differently', () => {
    const { encryptRepeatably, decrypt } = encryptor(oldKey);
    const written = encryptRepeatably('the same words', 'a');
    expect(encryptRepeatably('the same words', 'a')).toBe(written);
    expect(decrypt(written, 'a')).toBe('the same words');
    expect(() => decrypt(written, 'b')).toThrow('belongs elsewhere');
    const others = [encryptRepeatably('the same words', 'b'), encryptRepeatably('the same word', 'a')];
    expect(new Set([written, ...others].map((text) => text.split('.')[2]!.slice(0, 16))).size).toBe(3);
    expect(encryptor(newKey).encryptRepeatably('the same words', 'a')).not.toBe(written);
  });

  it('an encryptor does not open a text in another context', () => {
    const { encrypt, decrypt } = encryptor(oldKey);
    const encrypted = encrypt('secret', 'webhook/1');
    expect(() => decrypt(encrypted, 'webhook/2')).toThrow('belongs elsewhere');
    expect(() => decrypt(encrypted, '')).toThrow('belongs elsewhere');
  });

  it('an encryptor does not open a text of which any byte was changed, or that was cut', () => {
    const { encrypt, decrypt } = encryptor(oldKey);
    const [version, id, sealed = ''] = encrypt('secret', 'a').split('.');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => decrypt(`${version}.${id}.${changed.toString('base64url')}`, 'a')).toThrow('was changed');
      expect(() => decrypt(`${version}.${id}.${bytes.subarray(0, at).toString('base64url')}`, 'a')).toThrow(
        'was changed',
      );
    }
  });

  it.each(['', 'plain text', 'v1', 'v1.', 'v2.a.b', 'v1.unknown.AAAA'])('an encryptor does not open %j', (text) => {
    expect(() => encryptor(oldKey).decrypt(text, 'a')).toThrow(/not an encrypted text|not configured/);
  });

  it('an encryptor reads with older keys, writes with the first, and reports stale texts', () => {
    const before = encryptor(oldKey).encrypt('secret', 'a');
    const ring = encryptor([newKey, oldKey]);
    expect(ring.decrypt(before, 'a')).toBe('secret');
    expect(ring.isStale(before)).toBe(true);
    const after = ring.encrypt('secret', 'a');
    expect(ring.isStale(after)).toBe(false);
    expect(encryptor(newKey).decrypt(after, 'a')).toBe('secret');
    expect(() => encryptor(newKey).decrypt(before, 'a')).toThrow('not configured');
  });

  it.each([[''], ['short'], [randomBytes(31).toString('base64')], [randomBytes(33).toString('base64')]])(
    'an encryptor refuses the key %j without repeating it',
    (key) => {
      expect(() => encryptor(key)).toThrow(/^an encryption key must be 32 bytes in base64$/);
    },
  );

  it('an encryptor refuses to work without a key', () => {
    expect(() => encryptor([])).toThrow('at least one key');
  });
});
