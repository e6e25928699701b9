import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { baseUrls } from './base-url.ts';

const baseUrlFor = (baseUrl: ReturnType<typeof baseUrls>, host: string | undefined) =>
  baseUrl({ headers: { host } } as IncomingMessage);

describe('the base address', () => {
  const local = baseUrls('http://127.0.0.1:8080', ['127.0.0.1', 'localhost']);

  it.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['LOCALHOST:8080', 'http://localhost:8080'],
    ['localhost', 'http://localhost:8080'],
    ['localhost:1', 'http://localhost:8080'],
    ['evil.example', 'http://127.0.0.1:8080'],
    ['localhost.evil.example:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080@evil.example', 'http://127.0.0.1:8080'],
    ['localhost/evil', 'http://127.0.0.1:8080'],
    ['', 'http://127.0.0.1:8080'],
    [undefined, 'http://127.0.0.1:8080'],
  ])('the base address of a request for host %s is %s', (host, expected) =>
    expect(baseUrlFor(local, host)).toBe(expected),
  );

  it('the base address keeps scheme and path of the configured one', () => {
    const behindTls = baseUrls('https://api.example/phone', ['api.example', 'phone.example']);
    expect(baseUrlFor(behindTls, 'phone.example')).toBe('https://phone.example/phone');
  });
});
