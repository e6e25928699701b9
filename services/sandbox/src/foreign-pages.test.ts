import { describe, expect, it } from '@jest/globals';
import { isOwnHost } from './foreign-pages.ts';

const LOCAL = { names: [], anyAddress: false };

describe('the host of a request', () => {
  it.each(['127.0.0.1:8082', '127.1.2.3', 'localhost', 'LOCALHOST:80', '[::1]:8082'])(
    'the host %s is this machine',
    (host) => {
      expect(isOwnHost(host, LOCAL)).toBe(true);
    },
  );

  it.each([
    '',
    'evil.example:8082',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:8082@evil',
    'sandbox:8082',
    '192.0.2.1:8082',
    '[2001:db8::1]',
    '[localhost',
    '0.0.0.0',
  ])('the host %j is another machine', (host) => {
    expect(isOwnHost(host, LOCAL)).toBe(false);
  });

  it('the host of a request may be a configured name, or any address where remote access is on', () => {
    const hosts = { names: ['sandbox'], anyAddress: true };
    expect(
      ['sandbox:8082', '10.0.0.7:8082', '[fd00::1]', 'evil.example'].map((host) => isOwnHost(host, hosts)),
    ).toEqual([true, true, true, false]);
  });
});
