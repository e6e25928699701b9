import { describe, expect, it } from '@jest/globals';
import { promptKey } from './prompt.ts';
import { audioSigner } from './signed-audio.ts';

const key = Buffer.alloc(32, 1).toString('base64');
const newKey = Buffer.alloc(32, 2).toString('base64');
const signer = audioSigner([key], 'https://parley.example');
const hash = promptKey({ text: 'Hello', language: 'en', voice: '' });
const now = new Date('2026-01-01T12:00:00Z');

function parts(url: string) {
  const { origin, pathname, searchParams } = new URL(url);
  return {
    where: `${origin}${pathname}`,
    audio: {
      hash: pathname.split('/').at(-1) ?? '',
      expires: Number(searchParams.get('expires') ?? 0),
      signature: searchParams.get('sig') ?? '',
    },
  };
}

describe('the address of a prompt’s audio', () => {
  const { where, audio } = parts(signer.promptUrl(hash));

  it('the address of a prompt’s audio verifies, contains the content hash and is deterministic', () => {
    expect(where).toBe(`https://parley.example/media/prompts/${hash}`);
    expect(signer.promptUrl(hash)).toBe(signer.promptUrl(hash));
    expect(signer.verify(audio, now)).toBe(true);
  });

  it.each([
    ['another hash', { hash: promptKey({ text: 'Other', language: 'en', voice: '' }) }],
    ['another end', { expires: 4_000_000_000 }],
    ['no signature', { signature: '' }],
    ['a cut signature', { signature: audio.signature.slice(0, -2) }],
    ['another signature', { signature: audio.signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) }],
    ['a hash that is none', { hash: '../secrets' }],
    ['an end that is none', { expires: Number.NaN }],
  ])('the address of a prompt’s audio is rejected with %s', (_, change) => {
    expect(signer.verify({ ...audio, ...change }, now)).toBe(false);
  });

  it('the address of a prompt’s audio is rejected with another key', () => {
    expect(audioSigner([newKey], '').verify(audio, now)).toBe(false);
  });

  it('the address of a prompt’s audio is accepted during a key rotation, and signed with the first key', () => {
    const both = audioSigner([newKey, key], 'https://parley.example');
    expect(both.verify(audio, now)).toBe(true);
    expect(both.promptUrl(hash)).toBe(audioSigner([newKey], 'https://parley.example').promptUrl(hash));
  });
});

describe('the address of a preview', () => {
  const expiresAt = new Date('2026-01-01T13:00:00Z');
  const { audioUrl, signedId } = signer.preview(hash, 'vpr_1', expiresAt);

  it('the address of a preview works until it expires', () => {
    const { audio } = parts(audioUrl);
    expect(signer.verify(audio, now)).toBe(true);
    expect(signer.verify(audio, new Date(expiresAt.getTime() - 1))).toBe(true);
    expect(signer.verify(audio, expiresAt)).toBe(false);
  });

  it('the address of a preview has its own signed name', () => {
    expect(signedId).toMatch(/^[\w-]+\.[\w-]{32}$/);
    expect(signer.preview(hash, 'vpr_2', expiresAt).signedId).not.toBe(signedId);
  });
});

describe('the key of a prompt', () => {
  it.each([
    { text: 'Hello ', language: 'en', voice: '' },
    { text: 'Hello', language: 'da', voice: '' },
    { text: 'Hello', language: 'en', voice: 'anna' },
  ])('the key of a prompt is another for %j', (prompt) => {
    expect(promptKey(prompt)).not.toBe(hash);
  });
});
