import { expect, it } from '@jest/globals';
import { formTarget } from './consent.ts';

it.each([
  ['https://app.example/cb?x=1', 'https://app.example'],
  ['https://app.example:8443/cb', 'https://app.example:8443'],
  ['http://127.0.0.1:5555/cb', 'http://127.0.0.1:5555'],
  ['http://[::1]:5555/cb', 'http:'],
  ['com.example.app:/cb', 'com.example.app:'],
  ['myapp://cb', 'myapp:'],
])('a form that ends at %s may lead to %s', (uri, source) => expect(formTarget(uri)).toBe(source));
