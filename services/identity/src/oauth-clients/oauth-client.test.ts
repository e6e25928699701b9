import { describe, expect, it } from '@jest/globals';
import { readClientMetadata } from './oauth-client.ts';

const read = (redirectUris: readonly string[], clientName?: string) =>
  readClientMetadata({ redirectUris, clientName }, { customSchemes: false });
const uris = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => `https://app.example/${n}`.padEnd(length, 'x'));

describe('readClientMetadata', () => {
  it('readClientMetadata takes redirect URIs up to their limits', () => {
    expect(read(uris(20, 400), '\u{1f600}'.repeat(64))).toMatchObject({ ok: true });
    expect(read(uris(4, 2000))).toMatchObject({ ok: true });
  });

  it('readClientMetadata names an app without a name by the host of its redirect URI', () => {
    expect(read(uris(1, 50), ' ')).toMatchObject({ details: { name: 'app.example' } });
  });

  it.each([
    ['a redirect URI of 2,001 bytes', uris(1, 2001), undefined, 'invalid_redirect_uri'],
    ['more than 8 KiB of redirect URIs', uris(20, 410), undefined, 'invalid_redirect_uri'],
    ['a name that changes its direction', uris(1, 50), 'a\u202eb', 'invalid_client_metadata'],
  ])('readClientMetadata refuses %s', (_case, redirectUris, name, error) => {
    expect(read(redirectUris, name)).toMatchObject({ ok: false, error: { error } });
  });
});
