import { describe, expect, it } from '@jest/globals';
import { redact, redactText } from './redact.ts';

const API_KEY = 'pk_Zm9vYmFyYmF6cXV4X2Zvb2Jhcl9iYXotcXV4';
const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('text for a log line', () => {
  it.each([
    ['an API key', `key ${API_KEY} was refused`, 'key [redacted] was refused'],
    ['an API key after an escaped line break', `refused:\\n${API_KEY}`, 'refused:\\n[redacted]'],
    ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==', '[redacted]'],
    ['an access token', 'token=at_0123456789abcdefABCDEF', 'token=[redacted]'],
    ['a bearer token', 'Authorization: Bearer abc.def-123', 'Authorization: [redacted]'],
    ['a bearer token in lower case', 'authorization: bearer abc.def-123', 'authorization: [redacted]'],
    ['basic credentials', 'Basic dXNlcjpwYXNzd29yZA==', '[redacted]'],
    ['a JWT', `got ${JWT}.`, 'got [redacted].'],
    ['a password in an address', 'mongodb://root:s3cret@db:27017/a', 'mongodb://[redacted]@db:27017/a'],
    ['a password with an @ in it', 'nats://me:p@ss@broker:4222', 'nats://[redacted]@broker:4222'],
    ['a token in a query', 'GET /cable?token=abc&x=1', 'GET /cable?token=[redacted]&x=1'],
    ['a code in a query', '/cb?state=xyz&code=123', '/cb?state=[redacted]&code=[redacted]'],
    ['a phone number', 'call from +4512345678 failed', 'call from [redacted] failed'],
    ['a formatted phone number', 'call from +45 12 34 56 78 failed', 'call from [redacted] failed'],
    ['a phone number with brackets', 'to +1 (415) 555-0123', 'to [redacted]'],
    ['a phone number in a path', 'GET /inbox/%2B4512345678/messages', 'GET /inbox/[redacted]/messages'],
    ['an e-mail address', 'dup key: { email: "ada.l+1@mail.example.com" }', 'dup key: { email: "[redacted]" }'],
  ])('text for a log line loses %s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    ['an id', 'con_0123456789abcdefghjkmnpqrstvwxyz'],
    ['a path of an installed package', 'at x (node_modules/.pnpm/@nats-io+jetstream@3.4.0/lib/a.js:10:3)'],
    ['a time', '2026-03-01T12:00:00.000+02:00'],
    ['an address without a password', 'http://127.0.0.1:8080/healthz'],
    ['a trace', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ])('text for a log line keeps %s', (_, text) => {
    expect(redactText(text)).toBe(text);
  });

  it('text for a log line is searched in time that grows with its length', () => {
    const before = process.threadCpuUsage();
    for (const part of ['a', 'a.', 'eyJ', '+1', 'pk_', '://']) redactText(part.repeat(200_000 / part.length));
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

describe('fields for a log line', () => {
  it('fields for a log line lose the values of secret keys, however they are written', () => {
    const secrets = {
      api_key: 'a',
      'X-Api-Key': 'a',
      Authorization: 'a',
      'Set-Cookie': ['a'],
      clientSecret: 'a',
      new_password: 'a',
      refreshToken: { value: 'a' },
      phone_number: 'a',
      text: 'hello',
      transcription: 'hello',
      from: 'a',
      to: 'a',
    };
    expect(Object.values(redact(secrets) as object)).toEqual(Object.keys(secrets).map(() => '[redacted]'));
  });

  it('fields for a log line keep the others', () => {
    const fields = { id: 'con_1', count: 3, ok: true, none: null, big: 10n, tokens: 5, monkey: 'yes', at: new Date(0) };
    expect(redact(fields)).toEqual(fields);
  });

  it('fields for a log line are searched in every depth there is, and cut below', () => {
    expect(redact({ a: [{ b: { secret: 1, c: `x ${API_KEY}` } }] })).toEqual({
      a: [{ b: { secret: '[redacted]', c: 'x [redacted]' } }],
    });
    expect(JSON.stringify(redact({ a: { b: { c: { d: { e: { password: 'no' } } } } } }))).not.toContain('no"');
  });

  it('fields for a log line may point at themselves', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(JSON.stringify(redact(loop))).toContain('[deep]');
  });

  it('fields for a log line show bytes by their number only', () => {
    expect(redact({ audio: Buffer.from('hello') })).toEqual({ audio: '[5 bytes]' });
  });
});

describe('an error for a log line', () => {
  it('an error for a log line loses secrets in its message, its stack and its causes', () => {
    const cause = new Error(`password in nats://me:s3cret@broker`, { cause: { token: 'inner' } });
    const line = JSON.stringify(redact({ err: new Error(`no ${API_KEY}`, { cause }) }));
    expect(line).not.toMatch(/pk_|s3cret|inner/);
    expect(line).toContain('no [redacted]');
    expect(line).toContain('redact.test.ts');
  });

  it('an error for a log line shows its code and nothing else that hangs on it', () => {
    const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', request: { note: 'private' } });
    expect(redact(error)).toEqual({
      type: 'Error',
      message: 'refused',
      code: 'ECONNREFUSED',
      stack: expect.any(String),
    });
  });

  it('an error for a log line shows the errors it is made of', () => {
    const error = new AggregateError([new Error('::1 refused'), new Error(`${API_KEY} refused`)], '');
    expect(redact(error)).toMatchObject({ errors: [{ message: '::1 refused' }, { message: '[redacted] refused' }] });
  });
});
