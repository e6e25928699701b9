import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { cookie, readCookie } from './cookies.ts';
import { clientAddress } from './visitor.ts';

const request = (headers: Record<string, string>, remoteAddress = '::ffff:192.0.2.9') =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('clientAddress', () => {
  it.each([
    ['nothing in front', 0, undefined, '192.0.2.9'],
    ['a header nobody of ours wrote', 0, '203.0.113.1', '192.0.2.9'],
    ['one proxy', 1, '203.0.113.1', '203.0.113.1'],
    ['one proxy and a forged beginning', 1, '10.0.0.1, 203.0.113.1', '203.0.113.1'],
    ['two proxies', 2, '10.0.0.1, 203.0.113.1, 10.1.1.1', '203.0.113.1'],
    ['a proxy that says nothing', 1, undefined, '192.0.2.9'],
  ])('with %s', (_case, hops, forwarded, expected) => {
    expect(clientAddress(request(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), hops)).toBe(
      expected,
    );
  });
});

describe('cookies', () => {
  it('are bound to this host where there is TLS', () => {
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
  ])('are read from %j as %j', (header, expected) => {
    expect(readCookie(request({ cookie: header }), 'session', false)).toBe(expected);
  });

  it('without the prefix count for nothing where there is TLS', () => {
    expect(readCookie(request({ cookie: 'parley_session=ss_1' }), 'session', true)).toBe('');
  });
});
