import { expect, it } from '@jest/globals';
import { redirectTarget } from './redirect-target.ts';

it.each([
  ['https://app.example/cb', 'https://app.example/cb?code=c'],
  ['https://app.example', 'https://app.example?code=c'],
  ['https://app.example/cb?fixed=1', 'https://app.example/cb?fixed=1&code=c'],
  ['https://app.example/cb?', 'https://app.example/cb?code=c'],
  ['com.example.app:/cb', 'com.example.app:/cb?code=c'],
  ['myapp://cb', 'myapp://cb?code=c'],
  ['https://app.example/%2F/../cb', 'https://app.example/%2F/../cb?code=c'],
])('%s becomes %s, character by character', (uri, target) => {
  expect(redirectTarget(uri, { code: 'c', state: undefined })).toBe(target);
});

it('escapes what would otherwise start another parameter or line', () => {
  const target = redirectTarget('https://app.example/cb', { state: 'a&code=evil\r\nX: y#z' });
  expect(target).toBe('https://app.example/cb?state=a%26code%3Devil%0D%0AX%3A+y%23z');
});
