import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { formToken, HOME, isOwnForm, ownPath } from './forms.ts';
import type { Visitor } from './visitor.ts';

const visitor = { baseUrl: 'https://p.example', form: { secret: 's', isNew: false }, session: 'ss_1' } as Visitor;
const request = (headers: Record<string, string> = {}) => ({ headers }) as unknown as IncomingMessage;
const fields = (token: string) => new URLSearchParams({ form_token: token });

describe('isOwnForm', () => {
  const token = formToken(visitor, 'purpose');

  it('isOwnForm accepts our own form, with and without an Origin header', () => {
    expect(isOwnForm(request(), visitor, fields(token), 'purpose')).toBe(true);
    const headers = { origin: 'https://p.example', 'sec-fetch-site': 'same-origin' };
    expect(isOwnForm(request(headers), visitor, fields(token), 'purpose')).toBe(true);
  });

  it.each<[string, Record<string, string>, URLSearchParams | undefined, Partial<Visitor>]>([
    ['another origin', { origin: 'https://evil.example' }, fields(token), {}],
    ['the same host without TLS', { origin: 'http://p.example' }, fields(token), {}],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }, fields(token), {}],
    ['no form', {}, undefined, {}],
    ['no token', {}, new URLSearchParams(), {}],
    ['an empty token', {}, fields(''), {}],
    ['another session', {}, fields(token), { session: 'ss_2' }],
    ['another browser', {}, fields(token), { form: { secret: 't', isNew: false } }],
  ])('isOwnForm refuses %s', (_case, headers, form, change) => {
    expect(isOwnForm(request(headers), { ...visitor, ...change }, form, 'purpose')).toBe(false);
  });

  it('isOwnForm refuses the token of another purpose', () => {
    expect(isOwnForm(request(), visitor, fields(token), 'other')).toBe(false);
  });
});

describe('ownPath', () => {
  it.each([
    '/dashboard',
    '/dashboard/security',
    '/dashboard/security?x=1',
    '/oauth/authorize?client_id=a&state=%2F',
    '/device',
    '/device?user_code=WDJB-MJHT',
  ])('ownPath keeps %s', (path) => expect(ownPath(path)).toBe(path));

  it.each([
    undefined,
    null,
    '',
    '/',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/dashboard',
    '/dashboardevil',
    '/dashboard\\evil',
    '/dashboard/\r\nSet-Cookie: x',
    'javascript:alert(1)',
    '/oauth/authorizeevil',
    '/devices',
    '/signin',
  ])('ownPath leads from %j to the dashboard', (path) => expect(ownPath(path)).toBe(HOME));
});
