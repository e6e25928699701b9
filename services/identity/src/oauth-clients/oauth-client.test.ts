import { describe, expect, it } from '@jest/globals';
import { readClientMetadata } from './oauth-client.ts';

const read = (metadata: unknown) => readClientMetadata(metadata, { customSchemes: false });
const uris = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => `https://app.example/${n}`.padEnd(length, 'x'));

describe('readClientMetadata', () => {
  it('takes a name and redirect URIs up to their limits', () => {
    expect(read({ client_name: '\u{1f600}'.repeat(64), redirect_uris: uris(20, 400) })).toMatchObject({ ok: true });
    expect(read({ redirect_uris: uris(4, 2000) })).toMatchObject({ ok: true });
  });

  it.each([
    [
      'a name of 129 characters',
      { client_name: 'a'.repeat(129), redirect_uris: uris(1, 50) },
      'invalid_client_metadata',
    ],
    ['21 redirect URIs', { redirect_uris: uris(21, 50) }, 'invalid_redirect_uri'],
    ['a redirect URI of 2,001 bytes', { redirect_uris: uris(1, 2001) }, 'invalid_redirect_uri'],
    ['more than 8 KiB of redirect URIs', { redirect_uris: uris(20, 410) }, 'invalid_redirect_uri'],
  ])('refuses %s', (_case, metadata, error) => {
    expect(read(metadata)).toMatchObject({ ok: false, error: { error } });
  });
});
