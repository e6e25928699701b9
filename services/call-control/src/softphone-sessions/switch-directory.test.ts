import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { a1Hash, matchesDigest } from './sip-digest.ts';
import { NOT_FOUND_RESPONSE, userResponse, readSwitchDirectoryRequest } from './switch-directory.ts';

/** From a capture of FreeSWITCH 1.11.2 (g3, record 8): REGISTER of emp-1 with a password whose H(A1) was in record 9. */
const captured = {
  hostname: 'fs-test',
  section: 'directory',
  tag_name: 'domain',
  key_name: 'name',
  key_value: 'parley.test',
  action: 'sip_auth',
  sip_profile: 'internal',
  sip_auth_username: 'emp-1',
  sip_auth_realm: 'parley.test',
  sip_auth_nonce: '09bdbab1-8df5-42c0-9534-28f0f1b2a72f',
  sip_auth_uri: 'sip:parley.test',
  sip_auth_qop: 'auth',
  sip_auth_cnonce: '71be6dd7f5ab',
  sip_auth_nc: '00000001',
  sip_auth_response: '0caf4e63b7e1d8ce008544a8b6276883',
  sip_auth_method: 'REGISTER',
  user: 'emp-1',
  domain: 'parley.test',
  ip: '127.0.0.1',
};
const CAPTURED_A1 = 'aba4ef8a0f881cd588033af570c7b8f3';

const read = (changes: Record<string, string | undefined> = {}) => {
  const fields = Object.entries({ ...captured, ...changes }).filter(([, value]) => value !== undefined);
  return readSwitchDirectoryRequest(new URLSearchParams(fields as [string, string][]).toString(), 'parley.test');
};

describe('a request of a switch', () => {
  it('a request of a switch is read with its digest', () => {
    expect(read()).toEqual({
      username: 'emp-1',
      source: '127.0.0.1',
      digest: {
        method: 'REGISTER',
        uri: 'sip:parley.test',
        nonce: '09bdbab1-8df5-42c0-9534-28f0f1b2a72f',
        response: '0caf4e63b7e1d8ce008544a8b6276883',
        qop: { name: 'auth', cnonce: '71be6dd7f5ab', nonceCount: '00000001' },
      },
    });
  });

  it.each([
    ['another action', { action: 'user_call' }],
    ['no action', { action: undefined }],
    ['another section', { section: 'configuration' }],
    ['another domain', { domain: 'elsewhere.test' }],
    ['another realm', { sip_auth_realm: 'elsewhere.test' }],
    ['somebody else’s user name', { sip_auth_username: 'emp-2' }],
    ['a user name longer than any id', { user: 'x'.repeat(65), sip_auth_username: 'x'.repeat(65) }],
    ['no user', { user: undefined, sip_auth_username: undefined }],
    ['no response', { sip_auth_response: undefined }],
    ['no nonce', { sip_auth_nonce: '' }],
    ['no method', { sip_auth_method: undefined }],
    ['a digest over the body', { sip_auth_qop: 'auth-int' }],
    ['qop without a nonce count', { sip_auth_nc: undefined }],
    ['a form that is too long', { 'sip_h_X-Long': 'x'.repeat(70_000) }],
  ])('a request of a switch is refused with %s', (_case, changes) => {
    expect(read(changes)).toBeUndefined();
  });
});

describe('the source of a request', () => {
  const sourceOf = (form: string) =>
    readSwitchDirectoryRequest(`${new URLSearchParams(captured).toString()}&${form}`, 'parley.test')?.source;

  it('the source of a request is where the switch got it from, not what a header of the phone with the same name says', () => {
    const header = new URLSearchParams(captured).toString();
    expect(readSwitchDirectoryRequest(`ip=198.51.100.7&${header}`, 'parley.test')?.source).toBe('127.0.0.1');
  });

  it.each([
    ['ip=192.0.2.7', '192.0.2.7'],
    ['ip=2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
    [`ip=${'x'.repeat(1000)}`, 'x'.repeat(64)],
  ])('the source of a request in %s is counted as %s', (form, source) => {
    expect(sourceOf(form)).toBe(source);
  });
});

describe('a digest', () => {
  const digest = read()!.digest;

  it('a digest fits the password it was made with, as a real phone makes it', () => {
    expect(matchesDigest(CAPTURED_A1, digest)).toBe(true);
    expect(matchesDigest(CAPTURED_A1, { ...digest, method: 'INVITE' })).toBe(false);
    expect(matchesDigest(CAPTURED_A1, { ...digest, nonce: 'another' })).toBe(false);
    expect(matchesDigest(CAPTURED_A1, { ...digest, response: '' })).toBe(false);
    expect(matchesDigest(a1Hash('emp-1', 'parley.test', 'wrong'), digest)).toBe(false);
  });

  it('a digest without qop is that of RFC 2069', () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const a1 = a1Hash('emp-1', 'parley.test', 'secret');
    const { qop: _, ...plain } = {
      ...digest,
      response: md5(`${a1}:${digest.nonce}:${md5('REGISTER:sip:parley.test')}`),
    };
    expect([matchesDigest(a1, plain), matchesDigest(CAPTURED_A1, plain)]).toEqual([true, false]);
  });
});

describe('an answer', () => {
  const variables = { employee_id: 'emp-1', company_id: 'com-1', softphone_session_id: 'sps-1' };

  it('an answer has params, always: a user without them is let in with any password', () => {
    const answer = userResponse({ username: 'emp-1', domain: 'parley.test', a1: CAPTURED_A1, variables });
    expect(answer).toContain(`<params><param name="a1-hash" value="${CAPTURED_A1}"/>`);
    expect(answer).toContain('<variable name="employee_id" value="emp-1"/><variable name="company_id" value="com-1"/>');
    expect(answer).toMatch(/<user id="emp-1">.*<\/user><\/domain><\/section><\/document>\n$/s);
  });

  it('an answer escapes what it is given', () => {
    const answer = userResponse({ username: '"><user id="x', domain: 'a&b', a1: 'x', variables });
    expect(answer).toContain('<domain name="a&amp;b"><user id="&quot;&gt;&lt;user id=&quot;x">');
  });

  it('an answer to everything else is not found, without a user', () => {
    expect(NOT_FOUND_RESPONSE).toContain('<section name="result"><result status="not found"/></section>');
    expect(NOT_FOUND_RESPONSE).not.toContain('<user');
  });
});
