import { describe, expect, it } from '@jest/globals';
import { redirectHost, redirectUriProblem } from './redirect-uri.ts';

const problem = (uri: string, customSchemes = false) => redirectUriProblem(uri, { customSchemes });

describe('redirectUriProblem', () => {
  it.each([
    'https://app.example/cb',
    'https://app.example',
    'https://APP.example:8443/cb?a=b',
    'https://192.0.2.1/cb',
    'http://localhost/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]:3000/cb',
  ])('redirectUriProblem finds nothing wrong with %s', (uri) => expect(problem(uri)).toBeUndefined());

  it.each([
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost@evil.example/',
    'http://[::1].evil.example/',
    'http://[::2]/',
    'http://127.1/cb',
    'https://a@b.example',
    'https://app.example/#x',
    'https:app.example',
    'https:///app.example',
    'https://app.example\\evil',
    'https://app.example/\t',
    'https://app.ex*mple',
    'https://app.%65xample/',
    'https://аpp.example/',
    'HTTP://app.example',
    'com.example:/cb',
    'javascript:alert(1)',
    '',
  ])('redirectUriProblem refuses %j', (uri) => expect(problem(uri)).toEqual(expect.any(String)));

  it.each(['com.example.app:/cb', 'myapp://callback', 'x-phone:done?y=1', 'http://localhost/cb'])(
    'redirectUriProblem takes %s from the operator',
    (uri) => expect(problem(uri, true)).toBeUndefined(),
  );

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp:',
    'http://a.b',
    '1x:y',
  ])('redirectUriProblem refuses %s even from the operator', (uri) =>
    expect(problem(uri, true)).toEqual(expect.any(String)),
  );
});

describe('redirectHost', () => {
  it.each([
    ['https://app.example/cb', 'app.example'],
    ['https://app.example:8443/cb', 'app.example:8443'],
    ['http://127.0.0.1:5555/cb', '127.0.0.1:5555'],
    ['com.example.app:/cb', 'com.example.app:'],
  ])('redirectHost shows %s as %s', (uri, host) => expect(redirectHost(uri)).toBe(host));
});
