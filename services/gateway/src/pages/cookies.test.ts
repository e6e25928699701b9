import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { cookie, readCookie } from './cookies.ts';

const request = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

describe('cookies', () => {
  it('cookies are bound to this host where there is TLS', () => {
    expect(cookie('session', 'ss_1', true)).toBe(
      '__Host-parley_session=ss_1; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    );
    expect(cookie('session', '', false)).toContain('Max-Age=0');
  });

  it.each([
    ['parley_session=ss_1', 'ss_1'],
    ['a=b; parley_session=ss_1 ; c=d', 'ss_1'],
    ['parley_session=ss_1; parley_session=ss_2', ''],
    ['xparley_session=ss_1', ''],
    ['parley_session=<script>', ''],
    ['', ''],
  ])('cookies are read from %j as %j', (header, expected) => {
    expect(readCookie(request({ cookie: header }), 'session', false)).toBe(expected);
  });

  it('cookies without the prefix count for nothing where there is TLS', () => {
    expect(readCookie(request({ cookie: 'parley_session=ss_1' }), 'session', true)).toBe('');
  });
});
