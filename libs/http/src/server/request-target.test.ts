import { describe, expect, it } from '@jest/globals';
import { readTarget } from './raw-requests.ts';

describe('the target of a request', () => {
  it.each([
    ['/', { path: '/', query: '' }],
    ['//', { path: '//', query: '' }],
    ['//host:99999/x', { path: '//host:99999/x', query: '' }],
    ['/\\x', { path: '/\\x', query: '' }],
    ['/cable?token=a?b', { path: '/cable', query: 'token=a?b' }],
    ['/a#b?c', { path: '/a', query: '' }],
    ['/a%20b?%2B', { path: '/a%20b', query: '%2B' }],
    ['/%zz', { path: '/%zz', query: '' }],
    ['/a?b=100%', { path: '/a', query: 'b=100%' }],
    ['/a?b=%u0041', { path: '/a', query: 'b=%u0041' }],
    ['http://Example.test:80/a?b', { path: '/a', query: 'b', host: 'example.test' }],
    ['HTTP://[::1]:8080', { path: '/', query: '', host: '[::1]:8080' }],
  ])('the target %j is a path', (target, expected) => {
    expect(readTarget(target)).toEqual(expected);
  });

  it.each([
    undefined,
    '',
    '*',
    'a',
    'example.test:443',
    'http://[',
    'http://',
    'http://a:99999/',
    'ftp://a/',
    'javascript:1',
    '?a',
  ])('%j is no target of a request', (target) => {
    expect(readTarget(target)).toBeUndefined();
  });

  it('the target of a request is read from any bytes without an error', () => {
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const parts = [
      '/',
      'http://',
      '[',
      ']',
      ':',
      '@',
      '%',
      '?',
      '#',
      '\\',
      '..',
      '\u0000',
      '\u00ff',
      'a',
      '9',
      '//',
      '*',
    ];
    for (let i = 0; i < 5_000; i++) {
      const target = Array.from({ length: next(8) }, () => parts[next(parts.length)]).join('');
      const read = readTarget(target);
      if (read) expect(read.path[0]).toBe('/');
    }
  });
});
